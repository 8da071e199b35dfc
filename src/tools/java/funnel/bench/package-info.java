/**
 * Benchmarks of Funnel's primitives and their peers, with every result checked: the command {@code
 * funnel bench}.
 */
@NullMarked
package funnel.bench;

import org.jspecify.annotations.NullMarked;
