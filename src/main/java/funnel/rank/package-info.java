/** Elements by their ranks, without a sort of all: the largest and smallest, and quantiles. */
@NullMarked
package funnel.rank;

import org.jspecify.annotations.NullMarked;
