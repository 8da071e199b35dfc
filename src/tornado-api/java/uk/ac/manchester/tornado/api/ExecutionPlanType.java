package uk.ac.manchester.tornado.api;

/**
 * A plan with one more thing asked of it. A statement of signatures: the kinds of it are left out,
 * because a sealed class outside of a module cannot permit subclasses in another package.
 */
public abstract non-sealed class ExecutionPlanType extends TornadoExecutionPlan {

  /** After {@code parentNode}. */
  public ExecutionPlanType(TornadoExecutionPlan parentNode) {}
}
