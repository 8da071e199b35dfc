/**
 * A suite of errors of TornadoVM's JIT compiler: one tiny kernel for each rule of Java that
 * Funnel's kernels rely on or work around, run on the device and compared with the result that Java
 * requires.
 *
 * <p>Run it at every upgrade of TornadoVM: {@link funnel.suite.JitSuite}.
 */
@NullMarked
package funnel.suite;

import org.jspecify.annotations.NullMarked;
