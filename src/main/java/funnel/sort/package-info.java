/** Sorts, merges and searches in sorted arrays. */
@NullMarked
package funnel.sort;

import org.jspecify.annotations.NullMarked;
