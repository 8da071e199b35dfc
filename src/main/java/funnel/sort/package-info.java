/**
 * Sorts and searches in what is sorted: descriptions, the radix sort and other kernels, JVM loops.
 */
@NullMarked
package funnel.sort;

import org.jspecify.annotations.NullMarked;
