/** Chains of operations over arrays: what is asked for becomes one operation, which is run once. */
@NullMarked
package funnel.array;

import org.jspecify.annotations.NullMarked;
