/**
 * Variants to learn from and to compare: the steps in which reductions, scans and the heat equation
 * on a GPU are usually taught. Real work goes to {@link funnel.reduce.Reduction}, {@link
 * funnel.scan.Scan} and {@link funnel.heat.HeatProblem}, which are faster than all of them. {@link
 * funnel.lessons.Race} shows how updates get lost.
 */
@NullMarked
package funnel.lessons;

import org.jspecify.annotations.NullMarked;
