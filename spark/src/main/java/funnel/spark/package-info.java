/**
 * Funnel's primitives over data in an Apache Spark cluster: {@link funnel.spark.FunnelSpark} has
 * the calls, {@link funnel.spark.Chunks} the data.
 */
@NullMarked
package funnel.spark;

import org.jspecify.annotations.NullMarked;
