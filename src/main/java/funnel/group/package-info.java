/** Group-by, reductions of segments, joins, and dictionaries for their keys. */
@NullMarked
package funnel.group;

import org.jspecify.annotations.NullMarked;
