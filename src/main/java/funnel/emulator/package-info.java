/**
 * Runs a kernel on the JVM, thread by thread, with true barriers: {@link funnel.emulator.Emulator}.
 * What a GPU would answer with a wrong result, a hang or a dead context is an exception here.
 */
@NullMarked
package funnel.emulator;

import org.jspecify.annotations.NullMarked;
