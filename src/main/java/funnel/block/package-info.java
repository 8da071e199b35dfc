/**
 * Collectives for the threads of one block, for use inside kernels: static methods over a {@code
 * KernelContext}.
 *
 * <p>Every thread of the block calls a collective, passing its own index within the block and the
 * block's size; scratch memory is allocated inside. TornadoVM inlines the calls.
 */
@NullMarked
package funnel.block;

import org.jspecify.annotations.NullMarked;
