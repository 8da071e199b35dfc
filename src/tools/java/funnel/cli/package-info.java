/** The {@code funnel} command: {@link funnel.cli.Main}. */
@NullMarked
package funnel.cli;

import org.jspecify.annotations.NullMarked;
