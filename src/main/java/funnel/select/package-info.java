/** Operations that keep some elements of an array and leave out others. */
@NullMarked
package funnel.select;

import org.jspecify.annotations.NullMarked;
