/**
 * Building blocks of kernels, Funnel's and users': scalar operations in a form that every backend
 * compiles correctly, and tasks that launch kernels.
 */
@NullMarked
package funnel.kernel;

import org.jspecify.annotations.NullMarked;
