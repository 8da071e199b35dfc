/** Sorts: their descriptions, the radix sort on devices, and the loops of the JVM. */
@NullMarked
package funnel.sort;

import org.jspecify.annotations.NullMarked;
