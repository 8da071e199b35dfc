/** Operations and the primitives that do their work: for authors of their own operations. */
@NullMarked
package funnel.operation;

import org.jspecify.annotations.NullMarked;
