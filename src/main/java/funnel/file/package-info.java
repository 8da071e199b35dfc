/** Files that are there as a whole or not at all, lines of JSON, progress on the terminal. */
@NullMarked
package funnel.file;

import org.jspecify.annotations.NullMarked;
