/** The loop over the pieces of sources, and the writer of pieces to a sink. */
@NullMarked
package funnel.pieces;

import org.jspecify.annotations.NullMarked;
