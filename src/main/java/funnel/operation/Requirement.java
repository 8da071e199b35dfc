package funnel.operation;

/**
 * Refuses a run if a result that an earlier primitive of it delivers is not as it must be: on the
 * JVM before later primitives run, on a device after the run. It has no kernels, so it must be a
 * part of a {@link Composite}.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="requirement"}
 *
 * @param id its name
 * @param result the result
 * @param array an array whose length the check gets
 * @param check throws an {@link IllegalArgumentException} if the run is refused
 */
public record Requirement(String id, String result, String array, Check check)
    implements Primitive {

  /* Where inputs are cut off for a check of kernels, nothing is refused: what is required of all
   * elements may not hold for the first ones.
   */

  /** A check of a result. */
  @FunctionalInterface
  public interface Check {
    /**
     * Throws an {@link IllegalArgumentException} if the run is refused.
     *
     * @param length that of the array
     */
    void require(Number result, int length);
  }

  @Override
  public Step in(Setting setting) {
    Step step = Step.of(this, setting).readsFound("array", array).onDevice(_ -> {});
    return setting.most() < Integer.MAX_VALUE
        ? step.onJvm(_ -> {})
        : step.refuses(
                (results, lengths) -> check.require(results.apply(result), lengths.length(array)))
            .onJvm(run -> check.require(run.result(result), run.length(array)));
  }
}
