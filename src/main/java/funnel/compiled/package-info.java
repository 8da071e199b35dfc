/** Kernels that are compiled for a device: the folder that keeps them, how graphs get them. */
@NullMarked
package funnel.compiled;

import org.jspecify.annotations.NullMarked;
