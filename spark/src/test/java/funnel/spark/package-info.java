/** Tests on a cluster of this machine. */
@NullMarked
package funnel.spark;

import org.jspecify.annotations.NullMarked;
