/**
 * What stands between our kernels and TornadoVM: scalar helpers whose form is compiled right on
 * every backend, kernel tasks, and copies of kernel classes with a user's operator in them.
 */
@NullMarked
package funnel.jit;

import org.jspecify.annotations.NullMarked;
