/** What is computed by group, segments of neighbours, and joins: rows with equal keys. */
@NullMarked
package funnel.group;

import org.jspecify.annotations.NullMarked;
