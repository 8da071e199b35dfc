package funnel.scan;

import funnel.kernel.Kernel;
import funnel.kernel.KernelTask;
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
 * The ways in which a scan on a GPU is usually taught, to compare them with each other and with
 * {@link Scan}, which is faster than all of them.
 *
 * <p>All but {@link #CHAINED} are one composition, <em>scan, then propagate</em>. Each block scans
 * its own part of the input and leaves the part's total; the totals are scanned by the same kernel,
 * and theirs again, until one block is enough; then, level by level downwards, every block but the
 * first combines the scanned total before it with each of its elements. With blocks of 4 elements,
 * 3 1 4 1 5 9 2 6 5 becomes 3 4 8 9, 5 14 16 22 and 5 with totals 9 22 5; the scanned totals are 9
 * 31 36; so the result is 3 4 8 9 14 23 25 31 36. The number of levels is fixed by the capacity:
 * two launches more for each power of the block's elements. Each element is read twice and written
 * twice, 16 bytes an int; totals add a few percent at most.
 *
 * <p>They differ in the scan of a block. In the following, B is the number of threads of a block,
 * one element each where nothing else is said; work counts a block's operations, steps those that
 * follow each other, and barriers those of the block.
 *
 * <p><b>Results.</b> Right for any length; an empty input has an empty result, and the identity as
 * its total. Operands are always neighbours, left one first, so the operator need not be
 * commutative. Integer sums and products wrap around; NaN and -0.0 are treated as in {@link Math}
 * by min and max. A sum of floats or doubles depends on variant, block size and length: its bits
 * differ between variants, and are the same on every engine, since the JVM form replays the
 * kernels' tree. A sum of nothing but zeros may have either sign.
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="variant"}
 */
public enum ScanVariant {

  /**
   * Hillis and Steele: in steps of distance 1, 2, 4, ... every thread combines its value with the
   * one so far before it. Simple, and log2 B times the work of a loop. Work B log2 B; steps log2 B;
   * barriers 1 + log2 B; 2 B values of local memory.
   */
  HILLIS_STEELE("every thread combines with the one 1, 2, 4, ... before it", 1, 256),

  /**
   * Blelloch: a tree of sums upwards, then prefixes down the same tree. The work of a loop, but
   * twice the steps, in most of which few threads have work. Work 3 B; steps 1 + 2 log2 B; barriers
   * 2 + 2 log2 B; B values of local memory, padded against bank conflicts.
   */
  BLELLOCH("a tree of sums upwards, then prefixes down the same tree", 1, 256),

  /**
   * Warps scan in registers by shuffles, as Hillis and Steele; the first warp scans the warps'
   * totals in the same way. At 1024 threads, 32 warps. Work 6 B + 160; steps 11; barriers 2; 32
   * values of local memory. For int and float, which can be shuffled.
   */
  WARP_SHUFFLE("warps scan by shuffles, the first warp then their totals", 1, 1024),

  /**
   * The block scan that is meant for use: each thread combines 4 consecutive elements by itself,
   * {@link funnel.block.BlockScan#exclusive} scans the threads' sums in two levels of serial
   * stretches, and each thread goes through its elements again. Parts are four times as long as
   * there are threads, so there are fewer totals. For 4 B elements: work 9 B, and B sqrt B / 2 in
   * which many threads combine the same totals; steps 8 + 2 sqrt B; barriers 4; 5.2 B values of
   * local memory.
   */
  SCAN_THEN_PROPAGATE("four elements a thread, threads in two serial levels", 4, 256),

  /**
   * One launch: block b scans its part as {@link funnel.block.BlockScan#inclusive} does, waits
   * until block b - 1 has said what everything up to its end comes to, combines, says so in turn,
   * and stores. Each element is read once and written once, 8 bytes an int; but the blocks finish
   * one after the other, a trip through the second-level cache each, which is what makes it slow:
   * at 256 threads, four times as many trips as at 1024. This is the textbook's form with its
   * counter and the last element before it in one word; {@link ScanForm#SINGLE_PASS} is what became
   * of it.
   *
   * <p>It needs blocks to begin in the order of their numbers, as devices in fact do. A block waits
   * a bounded time; if that is not enough, the scan is computed by {@link #SCAN_THEN_PROPAGATE},
   * with a line in the log. For int and long, whose values fit into words beside a run's number.
   */
  CHAINED("each block waits for what the block before it has come to", 1, 1024);

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

  /** Threads of a block where nothing else is wanted. */
  public int defaultBlockSize() {
    return defaultBlockSize;
  }

  /** Whether there is this variant over elements of a type; over bytes there is none. */
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
   * <p>It is refused with an IllegalArgumentException when a plan adds it, if there is no such
   * variant over the elements, the operator is not defined on them, or the grid would have more
   * threads than a device can count.
   *
   * @param blockSize threads of a block: 64, 128, 256, 512 or 1024
   * @param operator the operator
   * @throws IllegalArgumentException if the block size is another
   */
  public Operation scan(int blockSize, Operator operator) {
    KernelTask.Grid.requireBlockSize(blockSize);
    Objects.requireNonNull(operator, "operator");
    return new ByVariant(this, blockSize, operator);
  }

  /** One that is equal to another if it computes the same in the same way. */
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
