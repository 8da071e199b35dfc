package funnel.kernel;

/**
 * What a collective expects of the block that calls it. Nothing on a device, where a method without
 * a body leaves no code behind; the emulator compares it with the block's size.
 *
 * {@snippet class="funnel.docs.KernelSnippets" region="block-size"}
 */
public final class BlockSize {

  private BlockSize() {}

  /**
   * Says that the block has so many threads: in the emulator, another number is an exception.
   *
   * @param threads threads of the block, in both dimensions together
   */
  public static void require(int threads) {}
}
