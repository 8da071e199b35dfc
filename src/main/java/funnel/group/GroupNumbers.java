package funnel.group;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.operation.JvmRun;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JVM form of a {@link GroupBy} by one array of keys, which sorts nothing where keys are close
 * to each other.
 *
 * <p>Of the keys 7, 9, 7 the rows' groups are 0, 1, 0, the distinct keys 7, 9 and their rows 2, 1.
 *
 * @param id name of the distinct keys
 * @param keys the keys
 * @param type their type
 * @param found the result that says how many groups there are
 * @param names of the arrays besides
 * @param scattered what computes the aggregates by the rows' groups
 * @param sorted what does all by sorting
 */
record GroupNumbers(
    String id,
    String keys,
    ElementType type,
    String found,
    Names names,
    List<Primitive> scattered,
    List<Primitive> sorted)
    implements Primitive {

  /* A table over all keys between the least and the largest says which are there, and then their
   * numbers. Where that would be much larger than there are rows, the sort is faster.
   */

  private static final int LEAST_TABLE = 1 << 16;
  private static final int MOST_TABLE = 1 << 24;

  /** Entries of the table for each row. */
  private static final int FOR_A_ROW = 4;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  /**
   * Names of arrays.
   *
   * @param numbers of the rows' groups
   * @param lengths how many rows each group has
   * @param firsts each group's first row
   * @param lasts each group's last row, if that is wanted
   */
  record Names(String numbers, String lengths, String firsts, @Nullable String lasts) {}

  /**
   * The groups of rows.
   *
   * @param rows the number of each row's group
   * @param lengths how many rows each one has
   */
  record Numbered(int[] rows, int[] lengths) {}

  /** Loops over keys of a type. */
  interface Loops {
    /** The groups; null if a table would be too large. */
    @Nullable Numbered number(MemorySegment keys, int length, int mostEntries);

    /** Puts the keys of some rows into an array. */
    void take(MemorySegment keys, int[] rows, MemorySegment output);
  }

  @Override
  public Layout layout() {
    return Layout.reads(keys).delivers(found, ElementType.INT);
  }

  @Override
  public Primitive in(Setting setting) {
    return new GroupNumbers(
        id,
        keys,
        type,
        found,
        names,
        scattered.stream().map(each -> each.in(setting)).toList(),
        sorted.stream().map(each -> each.in(setting)).toList());
  }

  @Override
  public void runOnJvm(JvmRun run) {
    int length = run.length(keys);
    Loops loops =
        FunctionCopies.instance(
            MethodHandles.lookup(),
            Loops.class,
            TwinClass.of(MethodHandles.lookup(), IntGroupNumberLoops.class, type));
    long most = Math.clamp((long) FOR_A_ROW * length, LEAST_TABLE, MOST_TABLE);
    Numbered numbered = loops.number(run.input(keys), length, (int) most);
    if (numbered == null) {
      sorted.forEach(each -> each.runOnJvm(run));
      return;
    }
    run.deliver(found, numbered.lengths().length);
    put(numbered.rows(), run.output(names.numbers()));
    put(numbered.lengths(), run.output(names.lengths()));
    int[] places = new int[numbered.lengths().length];
    for (int i = length - 1; i >= 0; i--) {
      places[numbered.rows()[i]] = i;
    }
    put(places, run.output(names.firsts()));
    loops.take(run.input(keys), places, run.output(id));
    if (names.lasts() != null) {
      for (int i = 0; i < length; i++) {
        places[numbered.rows()[i]] = i;
      }
      put(places, run.output(names.lasts()));
    }
    scattered.forEach(each -> each.runOnJvm(run));
  }

  private static void put(int[] values, MemorySegment output) {
    MemorySegment.copy(values, 0, output, INT, 0, values.length);
  }
}
