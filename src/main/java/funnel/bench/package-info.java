/**
 * Benchmarks: how fast Funnel's primitives are, beside their peers, with every result checked. The
 * command {@code funnel bench}.
 */
@NullMarked
package funnel.bench;

import org.jspecify.annotations.NullMarked;
