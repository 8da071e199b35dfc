/**
 * What kernels, ours and a user's, are written and launched with: scalar operations in a form that
 * every backend compiles right, and tasks.
 */
@NullMarked
package funnel.kernel;

import org.jspecify.annotations.NullMarked;
