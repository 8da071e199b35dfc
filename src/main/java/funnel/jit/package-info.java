/**
 * The layer between kernels and TornadoVM: copies of kernel classes with user-defined operators,
 * and the classes of each element type; also a pool of arrays for loops on the JVM.
 */
@NullMarked
package funnel.jit;

import org.jspecify.annotations.NullMarked;
