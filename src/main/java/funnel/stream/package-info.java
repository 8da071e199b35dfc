/** Operations over sources of any length, piece by piece, by plans. */
@NullMarked
package funnel.stream;

import org.jspecify.annotations.NullMarked;
