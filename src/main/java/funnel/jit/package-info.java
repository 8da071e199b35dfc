/**
 * What stands between our kernels and TornadoVM: copies of kernel classes with a user's operator in
 * them, and the classes of each element type; and arrays that loops on the JVM use again.
 */
@NullMarked
package funnel.jit;

import org.jspecify.annotations.NullMarked;
