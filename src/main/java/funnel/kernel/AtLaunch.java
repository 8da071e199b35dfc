package funnel.kernel;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A number that a kernel takes at each launch, such as a place in an array. All other numbers are
 * compiled in: the compiler unrolls loops by them and leaves out what they rule out, and for
 * another value the kernel is compiled again.
 *
 * {@snippet class="funnel.docs.KernelSnippets" region="at-launch"}
 *
 * <p>It says how a kernel of Funnel's store of compiled kernels is compiled; where there is no
 * store, TornadoVM compiles all numbers in. Results are the same.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface AtLaunch {}
