/** Histograms and other operations by key, and their forms for the JVM and for devices. */
@NullMarked
package funnel.histogram;

import org.jspecify.annotations.NullMarked;
