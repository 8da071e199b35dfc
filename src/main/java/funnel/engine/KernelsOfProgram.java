package funnel.engine;

/**
 * The kernels that a program has needed so far, those of its check included.
 *
 * @param kernels how many
 * @param compiled how many of them had to be compiled; the others were known
 * @param nanos the time that the program has waited for the compilers
 */
public record KernelsOfProgram(int kernels, int compiled, long nanos) {

  /** There are none, or the engine does not count them. */
  public static final KernelsOfProgram NONE = new KernelsOfProgram(0, 0, 0);

  /** These and others. */
  public KernelsOfProgram plus(KernelsOfProgram more) {
    return new KernelsOfProgram(
        kernels + more.kernels, compiled + more.compiled, nanos + more.nanos);
  }

  /** These, known from before. */
  public KernelsOfProgram known() {
    return new KernelsOfProgram(kernels, 0, 0);
  }
}
