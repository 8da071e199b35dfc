/**
 * What stands between our kernels and TornadoVM: copies of kernel classes with a user's operator in
 * them, and the classes of each element type.
 */
@NullMarked
package funnel.jit;

import org.jspecify.annotations.NullMarked;
