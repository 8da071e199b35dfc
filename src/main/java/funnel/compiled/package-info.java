/** Compiled kernels: where they are kept, and how they get into task graphs. */
@NullMarked
package funnel.compiled;

import org.jspecify.annotations.NullMarked;
