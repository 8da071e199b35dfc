/**
 * Operators and element types: the words that every other package speaks.
 *
 * <p>This package imports nothing of Funnel.
 */
@NullMarked
package funnel.operator;

import org.jspecify.annotations.NullMarked;
