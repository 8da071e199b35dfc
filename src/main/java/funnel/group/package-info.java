/** What is computed by group: rows with equal keys. */
@NullMarked
package funnel.group;

import org.jspecify.annotations.NullMarked;
