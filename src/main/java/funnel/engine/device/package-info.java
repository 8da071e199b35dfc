/** Programs on a device, whatever launches their kernels: arrays, runs, failures, checks. */
@NullMarked
package funnel.engine.device;

import org.jspecify.annotations.NullMarked;
