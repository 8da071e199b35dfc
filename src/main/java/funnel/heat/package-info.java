/**
 * The heat equation in two dimensions: a solver, its kernels by several methods, and its output.
 */
@NullMarked
package funnel.heat;

import org.jspecify.annotations.NullMarked;
