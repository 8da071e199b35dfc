package funnel.lessons;

import funnel.kernel.Kernel;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The scans on a GPU that are usually taught, to compare them with each other and with {@link
 * funnel.scan.Scan}, which is faster than all of them.
 *
 * <p>All but {@link #CHAINED} use the same composition, <em>scan, then propagate</em>. Each block
 * scans its own part of the input and stores the part's total. The same kernel scans the totals,
 * and the totals of these, until one block is enough. Then, level by level downwards, every block
 * but the first combines the scanned total before it with each of its elements. With blocks of 4
 * elements, 3 1 4 1 5 9 2 6 5 becomes 3 4 8 9, 5 14 16 22 and 5 with totals 9 22 5; the scanned
 * totals are 9 31 36; so the result is 3 4 8 9 14 23 25 31 36. The capacity fixes the number of
 * levels: two more launches for each power of the block's elements. Each element is read twice and
 * written twice, 16 bytes per int; totals add a few percent at most.
 *
 * <p>The variants differ in the scan of a block. In the following, B is the number of threads of a
 * block, with one element each unless stated otherwise; work is the number of a block's operations,
 * steps are the operations that depend on each other, and barriers are those of the block.
 *
 * <p><b>Results.</b> Correct for any length; an empty input has an empty result, and the identity
 * as its total. Operands are always neighbours, the left one first, so the operator need not be
 * commutative. Integer sums and products wrap around; NaN and -0.0 are treated as in {@link Math}
 * by min and max. A sum of floats or doubles depends on variant, block size and length: its bits
 * differ between variants, and are the same on every engine, since the JVM form replays the
 * kernels' tree. A sum of zeros alone may have either sign.
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="variant"}
 */
public enum ScanVariant {

  /**
   * Hillis and Steele: in steps of distance 1, 2, 4, ... every thread combines its value with the
   * one at that distance before it. Simple, but log2 B times the work of a loop. Work B log2 B;
   * steps log2 B; barriers 1 + log2 B; 2 B values of local memory.
   */
  HILLIS_STEELE("every thread combines with the one 1, 2, 4, ... before it", 1, 256),

  /**
   * Blelloch: a tree of sums upwards, then prefixes down the same tree. Work proportional to that
   * of a loop, but twice the steps, in most of which few threads have work. Work 3 B; steps 1 + 2
   * log2 B; barriers 2 + 2 log2 B; B values of local memory, padded against bank conflicts.
   */
  BLELLOCH("a tree of sums upwards, then prefixes down the same tree", 1, 256),

  /**
   * Warps scan in registers by shuffles, as Hillis and Steele; the first warp scans the warps'
   * totals in the same way. At 1024 threads, 32 warps. Work 6 B + 160; steps 11; barriers 2; 32
   * values of local memory. For int and float, the types that TornadoVM can shuffle.
   */
  WARP_SHUFFLE("warps scan by shuffles, the first warp then their totals", 1, 1024),

  /**
   * The block scan for practical use: each thread combines 4 consecutive elements, {@link
   * funnel.block.BlockScan#exclusive} scans the threads' sums in two levels of serial stretches,
   * and each thread goes through its elements again. Parts have four elements per thread, so there
   * are fewer totals. For 4 B elements: work 9 B, and B sqrt B / 2 in which many threads combine
   * the same totals; steps 8 + 2 sqrt B; barriers 4; 5.2 B values of local memory.
   */
  SCAN_THEN_PROPAGATE("four elements a thread, threads in two serial levels", 4, 256),

  /**
   * One launch: block b scans its part as {@link funnel.block.BlockScan#inclusive} does, waits
   * until block b - 1 has published the total of everything up to its end, combines, publishes its
   * own, and stores. Each element is read once and written once, 8 bytes per int. But the blocks
   * finish one after the other, each with a round trip to the second-level cache, which makes it
   * slow: with 256 threads there are four times as many round trips as with 1024. This is the
   * textbook's form with its counter and the last element before it in one word; {@link
   * funnel.scan.ScanForm#SINGLE_PASS} is its fast descendant.
   *
   * <p>It needs blocks to begin in the order of their numbers, as devices in fact do. A block waits
   * a bounded time; if that is not enough, the scan is computed by {@link #SCAN_THEN_PROPAGATE},
   * with a line in the log. For int and long, whose values fit into words together with a run's
   * number.
   */
  CHAINED("each block waits for the total of the block before it", 1, 1024);

  private final String idea;
  private final int items;
  private final int defaultBlockSize;

  ScanVariant(String idea, int items, int defaultBlockSize) {
    this.idea = idea;
    this.items = items;
    this.defaultBlockSize = defaultBlockSize;
  }

  /** The idea in one sentence. */
  public String idea() {
    return idea;
  }

  /** The name in lower case with hyphens, such as {@code hillis-steele}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The default number of threads of a block. */
  public int defaultBlockSize() {
    return defaultBlockSize;
  }

  /** Whether this variant supports elements of a type; none supports bytes. */
  public boolean isOver(ElementType type) {
    return switch (this) {
      case WARP_SHUFFLE -> type == ElementType.INT || type == ElementType.FLOAT;
      case CHAINED -> type == ElementType.INT || type == ElementType.LONG;
      default -> type != ElementType.BYTE;
    };
  }

  /**
   * The inclusive scan by this variant, of one input; its total is the value {@code output +
   * "_total"}. {@code BLELLOCH.scan(64, Operator.SUM)} of 3, 1, 4 is 3, 4, 8.
   *
   * <p>Adding it to a plan throws an IllegalArgumentException if the variant does not support the
   * elements' type, the operator is not defined on it, or the grid would have more threads than a
   * device supports.
   *
   * @param blockSize threads of a block: 64, 128, 256, 512 or 1024
   * @param operator the operator
   * @throws IllegalArgumentException if the block size is another one
   */
  public Operation scan(int blockSize, Operator operator) {
    Ladder.requireBlockSize(blockSize);
    Objects.requireNonNull(operator, "operator");
    return new ByVariant(this, blockSize, operator);
  }

  /** Equal to another one if it computes the same in the same way. */
  private record ByVariant(ScanVariant variant, int blockSize, Operator operator)
      implements Operation {
    @Override
    public Expansion expand(String output, List<Input> inputs) {
      Input input = Expansion.only(inputs, variant.label());
      VariantScan scan =
          new VariantScan(
              output, input.name(), input.type(), operator, variant, blockSize, input.capacity());
      return new Expansion(
          List.of(scan),
          List.of(Output.of(VariantScan.total(output), input.type(), input.name(), "")));
    }
  }

  /** The name of its kernel. */
  String kernel() {
    return Kernel.nameOf(this);
  }

  /** Elements of a thread. */
  int items() {
    return items;
  }

  /**
   * The variant of a label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ScanVariant of(String label) {
    return Arrays.stream(values())
        .filter(variant -> variant.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no variant '%s'; there are %s".formatted(label, labels())));
  }

  /** All labels. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(ScanVariant::label).toList();
  }
}
