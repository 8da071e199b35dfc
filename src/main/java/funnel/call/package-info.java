/** One-shot calls: where they run, and the plans that are kept for them. */
@NullMarked
package funnel.call;

import org.jspecify.annotations.NullMarked;
