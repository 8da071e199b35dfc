/**
 * Operators and element types, which every other package uses.
 *
 * <p>This package imports nothing of Funnel.
 */
@NullMarked
package funnel.operator;

import org.jspecify.annotations.NullMarked;
