/** Kernels that are compiled for a device, and the folder that keeps them for other processes. */
@NullMarked
package funnel.engine.compiled;

import org.jspecify.annotations.NullMarked;
