package funnel.kernel;

/**
 * States the block size that a collective expects. The emulator compares it with the actual size.
 * On a device the check does nothing: a method without a body generates no code.
 *
 * {@snippet class="funnel.docs.KernelSnippets" region="block-size"}
 */
public final class BlockSize {

  private BlockSize() {}

  /**
   * States the number of threads of the block; in the emulator, another number causes an exception.
   *
   * @param threads the number of threads of the block, in both dimensions together
   */
  public static void require(int threads) {}
}
