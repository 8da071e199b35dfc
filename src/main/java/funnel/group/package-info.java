/** What is computed by group: rows with equal keys, segments of neighbours. */
@NullMarked
package funnel.group;

import org.jspecify.annotations.NullMarked;
