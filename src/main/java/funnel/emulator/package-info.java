/**
 * Runs a kernel on the JVM, thread by thread, with real barriers: {@link funnel.emulator.Emulator}.
 * Mistakes for which a GPU would give a wrong result, hang or lose its context cause an exception
 * here.
 */
@NullMarked
package funnel.emulator;

import org.jspecify.annotations.NullMarked;
