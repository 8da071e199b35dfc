/**
 * Variants to learn from and to compare: the steps in which reductions and scans on a GPU are
 * usually taught. Real work goes to {@link funnel.reduce.Reduction} and {@link funnel.scan.Scan},
 * which are faster than all of them. {@link funnel.lessons.Race} shows how updates get lost.
 */
@NullMarked
package funnel.lessons;

import org.jspecify.annotations.NullMarked;
