package funnel.group;

import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The JVM form of a {@link GroupBy} by one array of keys, which does not sort if keys are close to
 * each other, or few.
 *
 * <p>For the keys 7, 9, 7 the rows' groups are 0, 1, 0, the distinct keys 7, 9 and their numbers of
 * rows 2, 1.
 *
 * @param id name of the distinct keys
 * @param found the result that says how many groups there are
 * @param tables the aggregates that are combined in tables
 * @param scattered the primitives of the other aggregates, which use the tables and the rows'
 *     groups
 * @param sorted the primitive that sorts instead
 */
record GroupNumbersStep(
    String id,
    Input keys,
    String found,
    Names names,
    List<GroupTable> tables,
    List<Primitive> scattered,
    List<Primitive> sorted)
    implements Primitive {

  /* Each worker allocates its own tables, so that they do not share cache lines with another
   * worker's, and takes a part of the rows, a block at a time: it finds their places in the tables,
   * which are then in the cache for one table after the other. The places that have rows are the
   * groups. The rows' group numbers are stored if something reads them.
   */

  private static final int ROWS_OF_A_WORKER = 1 << 15;
  private static final int BLOCK = 2048;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  /**
   * Names of arrays.
   *
   * @param numbers the numbers of the rows' groups
   * @param lengths the number of rows of each group, or null
   */
  record Names(String numbers, @Nullable String lengths) {}

  @Override
  public Step in(Setting setting) {
    List<Step> others = scattered.stream().map(each -> each.in(setting)).toList();
    List<Step> instead = sorted.stream().map(each -> each.in(setting)).toList();
    return Step.of(this, setting)
        .reads("keys", keys.name())
        .writes(
            "numbers",
            names.numbers(),
            ElementType.INT,
            setting.capacity(keys.capacity()),
            keys.name())
        .delivers("found", found, ElementType.INT)
        .onJvm(run -> group(run, others, instead));
  }

  private void group(JvmRun run, List<Step> others, List<Step> instead) {
    MemorySegment input = run.input(keys.name());
    int length = run.length(keys.name());
    List<@Nullable MemorySegment> columns = new ArrayList<>();
    boolean areShared = ParallelRows.mayBeShared(input);
    for (GroupTable table : tables) {
      MemorySegment column = table.column() == null ? null : run.input(table.column());
      columns.add(column);
      areShared &= ParallelRows.mayBeShared(column);
    }
    int most = areShared ? ParallelRows.cores() : 1;
    int finders = Math.clamp(length / ROWS_OF_A_WORKER, 1, most);
    GroupPlaces places =
        length == 0 ? null : GroupPlaces.loops(keys.type()).find(input, length, finders);
    if (places == null) {
      instead.forEach(each -> each.runOnJvm(run));
      return;
    }
    int workers = Math.clamp(length / Math.max(ROWS_OF_A_WORKER, places.count()), 1, most);
    int[] groups = combine(run, columns, places, length, workers);
    if (others.stream().anyMatch(each -> each.layout().inputs().contains(names.numbers()))) {
      number(places, groups, length, workers, run.output(names.numbers()));
    }
    others.forEach(each -> each.runOnJvm(run));
  }

  private interface Body {
    void rows(GroupPlaces.Rows places, int first, int count);
  }

  private static void deal(GroupPlaces places, int length, int workers, IntFunction<Body> bodies) {
    ParallelRows.parts(
        length,
        workers,
        (worker, begin, end) -> {
          Body body = bodies.apply(worker);
          int[] room = new int[BLOCK];
          int count;
          for (int first = begin; first < end; first += count) {
            count = Math.min(BLOCK, end - first);
            body.rows(places.of(first, count, room), first, count);
          }
        });
  }

  /** Fills the tables, and returns the groups' places. */
  private int[] combine(
      JvmRun run,
      List<@Nullable MemorySegment> columns,
      GroupPlaces places,
      int length,
      int workers) {
    List<GroupStatistics> joint = GroupStatistics.of(tables);
    GroupStatistics.Loops[] jointLoops = new GroupStatistics.Loops[joint.size()];
    Object[][] ofJoint = new Object[joint.size()][workers];
    for (int j = 0; j < jointLoops.length; j++) {
      GroupStatistics each = joint.get(j);
      jointLoops[j] =
          run.kept(each.column() + ".statistics", GroupStatistics.Loops.class, each::loops);
    }
    GroupTable.@Nullable Loops[] loops = new GroupTable.Loops[tables.size()];
    Object[][] values = new Object[tables.size()][workers];
    for (int t = 0; t < loops.length; t++) {
      GroupTable table = tables.get(t);
      if (joint.stream().noneMatch(each -> each.tables().contains(table))) {
        loops[t] = run.kept(table.name() + ".table", GroupTable.Loops.class, table::loops);
      }
    }
    int[][] counts = new int[workers][];
    deal(
        places,
        length,
        workers,
        worker -> {
          counts[worker] = new int[joint.isEmpty() ? places.count() : 0];
          for (int j = 0; j < jointLoops.length; j++) {
            ofJoint[j][worker] = jointLoops[j].make(places.count());
          }
          for (int t = 0; t < loops.length; t++) {
            if (loops[t] != null) {
              values[t][worker] = loops[t].make(places.count(), tables.get(t).identity());
            }
          }
          return (some, first, count) -> {
            if (joint.isEmpty()) {
              count(some, count, counts[worker]);
            }
            for (int j = 0; j < jointLoops.length; j++) {
              MemorySegment column = run.input(joint.get(j).column());
              jointLoops[j].add(ofJoint[j][worker], some, count, column, first);
            }
            for (int t = 0; t < loops.length; t++) {
              if (loops[t] != null) {
                MemorySegment column = columns.get(t);
                boolean isMade = column == null || tables.get(t).of() == ElementType.BYTE;
                MemorySegment of = isMade ? ints(column, first, count) : column;
                loops[t].combine(values[t][worker], some, count, of, isMade ? 0 : first);
              }
            }
          };
        });
    for (int j = 0; j < jointLoops.length; j++) {
      for (int worker = 1; worker < workers; worker++) {
        jointLoops[j].join(ofJoint[j][0], ofJoint[j][worker]);
      }
    }
    int[] all = joint.isEmpty() ? sums(counts) : jointLoops[0].counts(ofJoint[0][0]);
    int[] groups = IntStream.range(0, all.length).filter(place -> all[place] > 0).toArray();
    run.deliver(found, groups.length);
    places.keys(groups, run.output(id));
    if (names.lengths() != null) {
      put(IntStream.of(groups).map(place -> all[place]).toArray(), run.output(names.lengths()));
    }
    for (int j = 0; j < ofJoint.length; j++) {
      for (GroupTable table : joint.get(j).tables()) {
        MemorySegment output = run.output(table.name());
        GroupStatistics.put(jointLoops[j], table, ofJoint[j][0], groups, output);
      }
    }
    for (int t = 0; t < loops.length; t++) {
      if (loops[t] != null) {
        loops[t].put(values[t], groups, run.output(tables.get(t).name()));
      }
    }
    return groups;
  }

  private static int[] sums(int[][] counts) {
    for (int worker = 1; worker < counts.length; worker++) {
      for (int place = 0; place < counts[0].length; place++) {
        counts[0][place] += counts[worker][place];
      }
    }
    return counts[0];
  }

  private static void count(GroupPlaces.Rows rows, int count, int[] counts) {
    int[] numbers = rows.numbers();
    int at = rows.at();
    int less = rows.less();
    for (int i = 0; i < count; i++) {
      counts[numbers[at + i] - less]++;
    }
  }

  /** The positions of some rows, or their bytes, as ints. */
  private static MemorySegment ints(@Nullable MemorySegment bytes, int first, int count) {
    int[] ints = new int[count];
    for (int i = 0; i < count; i++) {
      ints[i] = bytes == null ? first + i : bytes.get(ValueLayout.JAVA_BYTE, first + i) & 0xff;
    }
    return MemorySegment.ofArray(ints);
  }

  /** Stores the number of each row's group. */
  private static void number(
      GroupPlaces places, int[] groups, int length, int workers, MemorySegment output) {
    int[] numbers = new int[places.count()];
    for (int g = 0; g < groups.length; g++) {
      numbers[groups[g]] = g;
    }
    deal(
        places,
        length,
        workers,
        _ -> {
          int[] block = new int[BLOCK];
          return (some, first, count) -> {
            for (int i = 0; i < count; i++) {
              block[i] = numbers[some.numbers()[some.at() + i] - some.less()];
            }
            MemorySegment.copy(block, 0, output, INT, 4L * first, count);
          };
        });
  }

  private static void put(int[] values, MemorySegment output) {
    MemorySegment.copy(values, 0, output, INT, 0, values.length);
  }
}
