/** Elementary functions. */
@NullMarked
package funnel.math;

import org.jspecify.annotations.NullMarked;
