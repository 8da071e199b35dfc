package funnel.cli;

import funnel.Elements;
import funnel.io.ElementFile;
import java.io.IOException;
import java.util.function.LongConsumer;

/** A mapped file, chunk by chunk. */
final class FileChunks {

  /* A chunk is what one run of a plan takes: it bounds the device's memory, not the file. Where
   * chunks are combined on the host, one after the other, its length is part of the definition of a
   * floating-point result; so it does not depend on the engine.
   */

  private FileChunks() {}

  /** What is done with a chunk. */
  interface Action {
    /**
     * Does it.
     *
     * @param from the index of the chunk's first element in the file
     */
    void run(Elements chunk, long from) throws IOException;
  }

  /** The capacity of a plan for a file's chunks. */
  static int capacity(ElementFile file, int chunk) {
    return (int) Math.min(chunk, Math.max(1, file.length()));
  }

  /**
   * Does something with each chunk, from the first to the last; an empty file has one, which is
   * empty.
   *
   * @param chunk elements of a run
   * @param done is told the elements of each run when it is over
   * @throws funnel.io.FileChangedException if somebody wrote to the file
   */
  static void forEach(ElementFile file, int chunk, LongConsumer done, Action action)
      throws IOException {
    try {
      long from = 0;
      do {
        int length = (int) Math.min(chunk, file.length() - from);
        action.run(Elements.of(file.chunk(from, from + length), file.type()), from);
        from += length;
        done.accept(length);
      } while (from < file.length());
    } catch (InternalError e) {
      /* a page of the mapping is gone: somebody cut the file off */
      file.requireUnchanged();
      throw e;
    }
    file.requireUnchanged();
  }
}
