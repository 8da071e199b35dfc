/**
 * Funnel's primitives over what an Apache Spark cluster holds: {@link funnel.spark.FunnelSpark} has
 * the calls, {@link funnel.spark.Chunks} the data.
 */
@NullMarked
package funnel.spark;

import org.jspecify.annotations.NullMarked;
