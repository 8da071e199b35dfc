/**
 * Histograms, and what else is done by key: their descriptions, and their forms for the JVM and for
 * devices.
 */
@NullMarked
package funnel.histogram;

import org.jspecify.annotations.NullMarked;
