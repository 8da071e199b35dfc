/**
 * Elements by their ranks, without sorting all elements: the largest and smallest, and quantiles.
 */
@NullMarked
package funnel.rank;

import org.jspecify.annotations.NullMarked;
