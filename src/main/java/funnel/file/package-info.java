/** Files that are written atomically, lines of JSON, progress on the terminal. */
@NullMarked
package funnel.file;

import org.jspecify.annotations.NullMarked;
