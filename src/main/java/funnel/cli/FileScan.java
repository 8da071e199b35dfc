package funnel.cli;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.io.ElementFile;
import funnel.io.NpyOutput;
import funnel.operator.ElementType;
import funnel.scan.Scan;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.function.LongConsumer;

/** A scan of a mapped file into a {@code .npy} file, chunk by chunk through one plan. */
final class FileScan {

  /* A chunk is what one run of the plan takes; its initial value is the total of the chunks before
   * it. So neither the heap nor the device has to hold the file, and memory is taken for one
   * chunk's results. As with reductions, the chunks' length is part of the definition of a
   * floating-point result, and does not depend on the engine.
   */

  private static final String INPUT = "x";
  private static final String INITIAL = "initial";
  private static final String OUTPUT = "y";

  private FileScan() {}

  /**
   * Scans a file.
   *
   * @param scan what to compute, without an initial value of its own
   * @param initial what everything is combined with first, of the results' type
   * @param chunk elements of a run
   * @param output takes the results; is not committed here
   * @param done is told the elements of each run when it is over
   * @return the total, which is {@code initial} if the file is empty
   * @throws funnel.io.FileChangedException if somebody wrote to the file
   */
  static Number run(
      Funnel funnel,
      ElementFile file,
      Scan scan,
      Number initial,
      int chunk,
      NpyOutput output,
      LongConsumer done)
      throws IOException {
    ElementType type = scan.resultType(file.type());
    int capacity = FileChunks.capacity(file, chunk);
    Number[] total = {initial};
    try (Plan plan =
            funnel
                .plan("file")
                .input(INPUT, file.type(), capacity)
                .input(INITIAL, type, 1)
                .add(OUTPUT, scan.continuing(), INPUT, INITIAL)
                .build();
        Arena arena = Arena.ofShared()) {
      MemorySegment results = arena.allocate((long) capacity * type.bytes(), Long.BYTES);
      FileChunks.forEach(
          file,
          chunk,
          done,
          (elements, from) -> {
            MemorySegment scanned = results.asSlice(0, (long) elements.length() * type.bytes());
            total[0] =
                plan.run(
                        Map.of(INPUT, elements, INITIAL, single(total[0])),
                        Map.of(OUTPUT, Elements.of(scanned, type)))
                    .get(OUTPUT + "_total");
            output.append(scanned);
          });
    }
    return total[0];
  }

  private static Elements single(Number value) {
    return switch (value) {
      case Integer i -> Elements.of(new int[] {i});
      case Long l -> Elements.of(new long[] {l});
      case Float f -> Elements.of(new float[] {f});
      case Double d -> Elements.of(new double[] {d});
      default -> throw new IllegalArgumentException("no number of Funnel's: " + value.getClass());
    };
  }
}
