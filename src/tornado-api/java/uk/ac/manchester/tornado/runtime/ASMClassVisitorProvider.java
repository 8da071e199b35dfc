package uk.ac.manchester.tornado.runtime;

import jdk.vm.ci.meta.ResolvedJavaMethod;
import uk.ac.manchester.tornado.runtime.common.ParallelAnnotationProvider;

/**
 * Finds the {@code @Parallel} variables of a method. TornadoVM takes an implementation from the
 * property {@code tornado.load.annotation.implementation}. A statement of signatures.
 */
public interface ASMClassVisitorProvider {

  /** The variables, none for a kernel that uses a context. */
  ParallelAnnotationProvider[] getParallelAnnotations(ResolvedJavaMethod method);
}
