/**
 * Parallel primitives for Java: on NVIDIA GPUs through TornadoVM, and with the same calls on the
 * JVM.
 *
 * {@snippet class="funnel.docs.QuickStart" region="quick-start"}
 *
 * <p>Start with {@link funnel.Funnel} and its arrays, such as {@link funnel.Ints}; {@link
 * funnel.Table} has rows, {@link funnel.Groups} sums by key. {@link funnel.Plan} is for work whose
 * data and runs you manage yourself.
 */
@NullMarked
package funnel;

import org.jspecify.annotations.NullMarked;
