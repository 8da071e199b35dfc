/** Charts of one line, for notebooks. */
@NullMarked
package funnel.chart;

import org.jspecify.annotations.NullMarked;
