/**
 * Scans (prefix sums): their description, their tree, and their forms for the JVM and for devices.
 */
@NullMarked
package funnel.scan;

import org.jspecify.annotations.NullMarked;
