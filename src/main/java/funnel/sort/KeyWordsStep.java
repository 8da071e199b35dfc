package funnel.sort;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Converts floating-point numbers to their {@link KeyWords}, {@code y[i] = word(x[i])}, or back.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="wordsOf"}
 *
 * <p>Words of floats are ints, those of doubles longs, in a hidden array of a {@link
 * funnel.operation.Composite}. An empty input gives an empty array. On a device each element is
 * read once and written once.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param input the numbers, or the words
 * @param type the type of the numbers, float or double
 * @param isBack whether words become numbers
 * @param mergesNaN whether all NaN get the same word, if numbers become words
 * @param capacity the largest number of elements
 */
public record KeyWordsStep(
    String id, String input, ElementType type, boolean isBack, boolean mergesNaN, int capacity)
    implements Primitive {

  /** The type of the words of numbers; integers are their own words. */
  public static ElementType typeOf(ElementType type) {
    return switch (type) {
      case FLOAT -> ElementType.INT;
      case DOUBLE -> ElementType.LONG;
      default -> type;
    };
  }

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(capacity);
    return Step.of(this, setting)
        .reads("from", input, IntKeyWordsKernels.FROM_AT, IntKeyWordsKernels.LENGTH_AT)
        .writes("to", id, isBack ? type : typeOf(type), most, input, IntKeyWordsKernels.TO_AT)
        .bitsOf("from", "to")
        .counts()
        .onDevice(
            launches ->
                launches
                    .value("turned", mergesNaN ? KeyWords.MERGED : KeyWords.TURNED)
                    .value("isBack", isBack ? 1 : 0)
                    .kernels(IntKeyWordsKernels.class, typeOf(type))
                    .launch(
                        isBack ? "decode" : "encode",
                        "turn",
                        Grid.of(IntKeyWordsKernels.blocks(most), IntKeyWordsKernels.THREADS)))
        .onJvm(this::turn);
  }

  private int turned(int of) {
    int word = isBack ? KeyWords.bits(of) : KeyWords.word(of);
    return mergesNaN && !isBack ? KeyWords.merged(word) : word;
  }

  private long turned(long of) {
    long word = isBack ? KeyWords.bits(of) : KeyWords.word(of);
    return mergesNaN && !isBack ? KeyWords.merged(word) : word;
  }

  private void turn(JvmRun run) {
    MemorySegment from = run.input(input);
    MemorySegment to = run.output(id);
    int length = run.length(input);
    int elements = ParallelRows.mayBeShared(from, to) ? length : 0;
    ValueLayout.OfInt ints = ValueLayout.JAVA_INT_UNALIGNED;
    ValueLayout.OfLong longs = ValueLayout.JAVA_LONG_UNALIGNED;
    ParallelRows.run(
        length,
        elements,
        (first, last) -> {
          for (int i = first; i < last; i++) {
            if (type == ElementType.FLOAT) {
              to.set(ints, 4L * i, turned(from.get(ints, 4L * i)));
            } else {
              to.set(longs, 8L * i, turned(from.get(longs, 8L * i)));
            }
          }
        });
  }
}
