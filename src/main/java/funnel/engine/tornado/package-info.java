/** The engine of TornadoVM's devices, and all else that talks to TornadoVM and the driver. */
@NullMarked
package funnel.engine.tornado;

import org.jspecify.annotations.NullMarked;
