/** Compiles kernels for a device before anything needs them. */
@NullMarked
package funnel.ahead;

import org.jspecify.annotations.NullMarked;
