/** Elementary functions with the same bits on the JVM and on devices. */
@NullMarked
package funnel.math;

import org.jspecify.annotations.NullMarked;
