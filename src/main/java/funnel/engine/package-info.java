/** Engines and the programs that they run; the engine of the JVM. */
@NullMarked
package funnel.engine;

import org.jspecify.annotations.NullMarked;
