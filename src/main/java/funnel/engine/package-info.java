/** Engines, which run the primitives of a plan on the JVM or on a device. */
@NullMarked
package funnel.engine;

import org.jspecify.annotations.NullMarked;
