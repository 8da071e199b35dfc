/** Reductions: descriptions, kernels, JVM loops and variants. */
@NullMarked
package funnel.reduce;

import org.jspecify.annotations.NullMarked;
