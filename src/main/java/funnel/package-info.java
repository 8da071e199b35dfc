/**
 * Parallel primitives for Java: on NVIDIA GPUs through TornadoVM, and with the same calls on the
 * JVM.
 *
 * <p>Start with {@link funnel.Funnel}; {@link funnel.Plan} is for work that is done many times.
 */
@NullMarked
package funnel;

import org.jspecify.annotations.NullMarked;
