package funnel;

import static funnel.select.Runs.decode;
import static funnel.select.Runs.encode;

import funnel.array.Count;
import funnel.array.Node;
import funnel.array.Reader;
import funnel.array.Ref;
import funnel.array.Rows;
import funnel.io.Sink;
import funnel.jit.Tables;
import funnel.operation.Operation;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Storage;
import funnel.operator.Transform;
import funnel.plan.Kept;
import funnel.plan.PlanNames;
import funnel.rank.Quantiles;
import funnel.rank.SegmentedTopK;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.select.FindFirst;
import funnel.select.Select;
import funnel.select.Unique;
import funnel.sort.Ascending;
import funnel.sort.IsSorted;
import funnel.sort.NotAscendingException;
import funnel.sort.Order;
import funnel.sort.SegmentedSort;
import funnel.sort.SetOperation;
import funnel.sort.Sort;
import funnel.sort.SortedSearch;
import funnel.transform.Concat;
import funnel.transform.Gather;
import funnel.transform.Narrow;
import funnel.transform.Reverse;
import funnel.transform.Sample;
import funnel.transform.Scatter;
import funnel.transform.Shuffle;
import funnel.transform.Slice;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An array in memory, or one computed from others: {@code x.filter(v -> v > 3).sorted()}.
 *
 * {@snippet class="funnel.docs.ArraySnippets" region="chain"}
 *
 * <p>Immutable and lazy: a method that gives an array computes nothing. What is needed is computed
 * when something is read, such as {@link #toArray}, {@link #count} or a sum: all of it by one plan,
 * which is kept for the next reading of the same structure, whatever numbers its functions have
 * captured. Reading twice computes twice. {@link #keep} computes once, and {@link Funnel#read}
 * reads several arrays and computes what they share once.
 *
 * <p>An array made by {@link Funnel#of(int[])} is a view of that array: each reading sees what it
 * then contains. Do not change it while something is read.
 *
 * <p>Results have the same bits on every engine. Exceptions are those of the operation that a
 * method names, and come when something is read. A reading of more than 200 operations is an
 * IllegalArgumentException: {@link #keep} an array in between.
 *
 * <p>Thread-safe.
 *
 * @param <A> the Java array, such as {@code int[]}
 * @param <S> the class itself, such as {@code Ints}
 */
public abstract sealed class Array<A, S extends Array<A, S>> extends Operand
    implements AutoCloseable permits Ints, Longs, Floats, Doubles, Bytes {

  static {
    Tables.by(array -> ((Array<?, ?>) array).kept());
  }

  private final @Nullable Kept kept;

  Array(Funnel funnel, Ref ref) {
    super(funnel, ref);
    kept = ref.node() instanceof Node.Resident given ? given.kept() : null;
  }

  /**
   * Elements and their positions.
   *
   * @param values the elements
   * @param positions where they are in the array that they are from
   * @param <S> the elements' class
   */
  public record Found<S extends Array<?, S>>(S values, Ints positions) {}

  /**
   * Runs of equal neighbours: for 4, 4, 7 the values are 4, 7, the starts 0, 2, the lengths 2, 1.
   *
   * @param values the element of each run
   * @param starts where each run begins
   * @param lengths how many elements each run has
   * @param <S> the elements' class
   */
  public record Runs<S extends Array<?, S>>(S values, Ints starts, Ints lengths) {}

  /**
   * The elements for which something holds, and the others, both in their order.
   *
   * @param kept those for which it holds
   * @param rejected the others
   * @param <S> the elements' class
   */
  public record Parts<S extends Array<?, S>>(S kept, S rejected) {}

  /**
   * Pairs of rows with equal keys.
   *
   * @param left their positions in the left table
   * @param right their positions in the right table
   */
  public record Pairs(Ints left, Ints right) {}

  /**
   * Elements of each segment or group: the largest, the first, or all.
   *
   * @param values the elements, segment after segment
   * @param positions where they are in the array that they are from
   * @param offsets where the elements of each segment begin in {@code values}
   * @param <S> the elements' class
   */
  public record Top<S extends Array<?, S>>(S values, Ints positions, Ints offsets) {}

  /** An array of this class. */
  abstract S like(Ref ref);

  abstract S self();

  final ElementType type() {
    return ref.type();
  }

  final Node.Applied node(Operation operation, Operand... more) {
    return Node.of(operation, refsAnd(more));
  }

  final Node.Applied fused(Operation operation, Node.Fusion fusion, Operand... more) {
    return Node.fused(operation, fusion, refsAnd(more));
  }

  private Ref[] refsAnd(Operand... more) {
    return Stream.concat(Stream.of(ref), Stream.of(refs(funnel, more))).toArray(Ref[]::new);
  }

  final Ref refOf(Operand other) {
    return refs(funnel, other)[0];
  }

  private S then(Operation operation, Operand... more) {
    return like(node(operation, more).output(type()));
  }

  /** An operation whose result is in ascending order if its input is. */
  private S keepingOrder(Operation operation, Operand... more) {
    Node.Applied node = node(operation, more);
    return like((isAscending() ? node.ascending() : node).output(type()));
  }

  private boolean isAscending() {
    return ref.isAscending();
  }

  /** Bounds or places of others among these elements, which are in ascending order. */
  private Ints search(SortedSearch search, S others) {
    return ints(node(isAscending() ? search : Ascending.first(search), others), "");
  }

  /** The same elements, for which nothing is checked: they are in ascending order. */
  final Ints searchAscending(SortedSearch search, S others) {
    return ints(node(search, others), "");
  }

  /** A union of these elements and others, both in ascending order. */
  final S unionOfAscending(S others) {
    return then(SetOperation.union(), others);
  }

  private S ofSets(SetOperation operation, S other) {
    return like(sorted().node(operation, other.sorted()).ascending().output(type()));
  }

  final Ints ints(Node.Applied node, String suffix) {
    return new Ints(funnel, node.output(suffix, ElementType.INT));
  }

  final Number number(Reduction reduction, Operand... more) {
    return number(node(reduction, more));
  }

  final Number number(Node.Applied node) {
    return funnel.value(node.output(type())); // whatever type a number has
  }

  /** A count or a position, which of a source may be too large. */
  final int integer(Node.Applied node) {
    return Math.toIntExact(number(node).longValue());
  }

  // Reading.

  /** The elements, in a new Java array. */
  public final A toArray() {
    return funnel.read(this).own(self());
  }

  /**
   * The elements in a new Java array that stores them in fewer bytes: shorts of ints.
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="stored"}
   *
   * @throws ArithmeticException if an element does not fit, with its position
   * @throws IllegalArgumentException if the storage is widened to another type than this array's,
   *     or there may be more than 2<sup>30</sup> - 4 elements and they are stored in 16 bits
   */
  public final <T> T toArray(Storage<T> storage) {
    if (storage.elements() != type()) {
      throw new IllegalArgumentException(
          "%s stores %ss, not %ss: convert them before, by asInts() or a function"
              .formatted(storage, storage.elements(), type()));
    }
    if (!storage.isNarrow()) {
      return storage.toArray(Elements.ofArray(toArray()).segment());
    }
    Narrow narrow = Narrow.to(storage);
    Ref stored = node(narrow).output(narrow.outputType());
    Optional<Ref> unfit =
        storage.unfit().map(test -> node(FindFirst.where(test)).output(ElementType.INT));
    Reader.Answer answer = funnel.answer(Stream.concat(Stream.of(stored), unfit.stream()).toList());
    if (unfit.isPresent() && answer.value(unfit.get()).intValue() >= 0) {
      storage.requireFit(Elements.ofArray(toArray()).segment(), 0);
    }
    return storage.toArray(answer.array(stored).segment());
  }

  /**
   * Writes the elements to a file or other sink. Those of a source are written piece by piece if
   * they are sorted, scanned, selected or {@linkplain #distinct distinct} neighbours.
   *
   * @return how many they are
   * @throws IllegalArgumentException if the sink takes another type, or these elements of a source
   *     cannot be computed piece by piece
   */
  public final long write(Sink sink) throws IOException {
    return funnel.write(ref, sink);
  }

  /**
   * Copies the elements into the caller's memory, from its first element on.
   *
   * @return how many they are
   * @throws IllegalArgumentException if it is shorter, of another type or read-only
   */
  public final int copyInto(Elements into) {
    return funnel.read(this).copyInto(self(), into);
  }

  /**
   * The number of elements: 3 for 3, 4, 5.
   *
   * @throws ArithmeticException if a source has more of them than an int can count
   */
  public final int count() {
    return ref.node() instanceof Node.Given given
        ? Math.toIntExact(given.length())
        : integer(
            fused(
                new Count(),
                (before, _) ->
                    before instanceof Select select
                        ? select.predicate().map(Reduction::countIf).orElse(null)
                        : null));
  }

  /** Whether there are no elements. */
  public final boolean isEmpty() {
    return count() == 0;
  }

  /**
   * A single value of the elements that is not read yet: {@code x.value(Reduction.mean())}. It can
   * be an argument of a function, see {@link Funnel#doubles(funnel.operator.ElementFunction,
   * Operand...)}, or be read together with arrays.
   *
   * @throws IllegalArgumentException if the reduction takes two inputs or has two outputs
   */
  public final Value value(Reduction reduction) {
    if (reduction.takesTwoInputs() || reduction.isPairOfElements()) {
      throw new IllegalArgumentException(
          "%s %s: it is no single value of one array"
              .formatted(
                  reduction, reduction.takesTwoInputs() ? "takes two inputs" : "has two outputs"));
    }
    return new Value(funnel, node(reduction).output(reduction.resultType(type())));
  }

  /** Whether the elements are in ascending order, as {@link #sorted()} has them. */
  public final boolean isSorted() {
    return integer(node(IsSorted.ascending())) != 0;
  }

  // Some of the elements.

  /** The elements where a byte of {@code flags} is not 0, see {@link Select#flagged}. */
  public final S filter(Bytes flags) {
    return keepingOrder(Select.flagged(), flags);
  }

  /**
   * The distinct elements, in the order in which each first occurs, as {@code distinct} of
   * java.util.stream has them: 3, 1, 4 for 3, 1, 4, 1. All NaN are equal, 0.0 and -0.0 are not. Of
   * a sorted array they are its runs' first elements; else the array is sorted for it.
   */
  public final S distinct() {
    if (isAscending()) {
      return keepingOrder(Unique.adjacent());
    }
    Ints order = order();
    Node.Applied first = Node.rows(Unique.adjacent().rows(), List.of(at(order).ref));
    Ints positions = new Ints(funnel, first.part(null, order.ref, ElementType.INT));
    return at(positions.sorted());
  }

  /**
   * The first {@code most} elements, or all if there are fewer.
   *
   * @throws IllegalArgumentException if {@code most} is negative
   */
  public final S limit(int most) {
    return keepingOrder(Slice.limit(most));
  }

  /**
   * All elements but the first {@code count}.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public final S skip(int count) {
    return keepingOrder(Slice.skip(count));
  }

  /**
   * The last {@code most} elements, or all if there are fewer.
   *
   * @throws IllegalArgumentException if {@code most} is negative
   */
  public final S last(int most) {
    return keepingOrder(Slice.last(most));
  }

  /**
   * The elements from one index up to another: 1, 4 for 3, 1, 4, 1 from 1 to 3.
   *
   * @throws IllegalArgumentException if {@code from} is negative or greater than {@code to}; when
   *     it is read, if there are fewer than {@code to} elements
   */
  public final S slice(int from, int to) {
    return keepingOrder(Slice.of(from, to));
  }

  /**
   * The elements at some positions, see {@link Gather}: 40, 30 of 30, 10, 40 at 2, 0.
   *
   * @throws IllegalArgumentException if they are positions of a table's rows, such as those of
   *     {@link Groups#largest}, and the table has this array as a column in other rows: take {@link
   *     Table#at} instead
   */
  public final S at(Ints positions) {
    Rows.requireRowsOf(positions.ref, ref);
    return then(Gather.at(), positions);
  }

  /**
   * The elements at some positions, and a number where a position is -1, see {@link Gather#orElse}:
   * 40, 7 of 30, 10, 40 at 2, -1 for 7.
   */
  public final S at(Ints positions, Number ifNone) {
    Rows.requireRowsOf(positions.ref, ref);
    return then(Gather.at().orElse(type().fitting("ifNone", ifNone)), positions);
  }

  /**
   * The largest elements, the largest first, or all if there are fewer than {@code k}, and their
   * positions, see {@link TopK}.
   */
  public final Found<S> largest(int k) {
    return top(TopK.largest(k));
  }

  /** The smallest elements, the smallest first, and their positions, see {@link TopK}. */
  public final Found<S> smallest(int k) {
    return top(TopK.smallest(k));
  }

  private Found<S> top(TopK top) {
    return found(node(top.withPositions()));
  }

  final Found<S> found(Node.Applied node) {
    return new Found<>(like(node.output(type())), ints(node, "_positions"));
  }

  /** The largest elements of each segment, see {@link SegmentedTopK}. */
  public final Top<S> largest(int k, Segments segments) {
    return top(TopK.largest(k), segments);
  }

  /** The smallest elements of each segment, see {@link SegmentedTopK}. */
  public final Top<S> smallest(int k, Segments segments) {
    return top(TopK.smallest(k), segments);
  }

  private Top<S> top(TopK top, Segments segments) {
    Node.Applied node =
        node(SegmentedTopK.of(top.withPositions()).segments(segments.how), segments.of(this));
    return new Top<>(like(node.output(type())), ints(node, "_positions"), ints(node, "_offsets"));
  }

  /** Exact quantiles, elements of the array, see {@link Quantiles}; none of an empty array. */
  public final S quantiles(double... quantiles) {
    return then(Quantiles.of(quantiles));
  }

  /** Some of the elements, without replacement and in a random order, see {@link Sample}. */
  public final S sample(int count, long seed) {
    return then(Sample.of(count, seed));
  }

  // In another order.

  /** The elements in ascending order, see {@link Sort}: 1, 1, 3, 4 for 3, 1, 4, 1. */
  public final S sorted() {
    return isAscending() ? self() : like(node(Sort.ascending()).ascending().output(type()));
  }

  /** The elements in the order of a sort, such as {@code Sort.descending()}. */
  public final S sorted(Sort sort) {
    return then(sort);
  }

  /** The elements of each segment in ascending order, see {@link SegmentedSort}. */
  public final S sorted(Segments segments) {
    return then(SegmentedSort.ascending().segments(segments.how), segments.of(this));
  }

  /** The positions of the elements in ascending order, see {@link Order}. */
  public final Ints order() {
    return ints(node(Order.ascending()), "");
  }

  /**
   * The rank of each element, 1 for the least; equal ones all have the first of theirs, as {@code
   * rank} of SQL: 3, 1, 4, 1, 5 for 3, 1, 4, 1, 5. Elements are ordered and equal as {@link
   * #sorted()} has it, which is done for it.
   */
  public final Ints ranks() {
    return sorted().lowerBounds(self()).map(smaller -> smaller + 1);
  }

  /** The rank of each element among the different ones: 2, 1, 3, 1, 4 for 3, 1, 4, 1, 5. */
  public final Ints denseRanks() {
    return sorted().distinct().lowerBounds(self()).map(smaller -> smaller + 1);
  }

  /** The mean of the ranks of equal elements: 3, 1.5, 4, 1.5, 5 for 3, 1, 4, 1, 5. */
  public final Doubles averageRanks() {
    S sorted = sorted();
    Ints smaller = sorted.lowerBounds(self());
    return smaller
        .zip(sorted.upperBounds(self()), (less, notMore) -> less + notMore + 1)
        .mapToDouble(twice -> 0.5 * twice);
  }

  private interface Percent extends ElementFunction {
    double of(int smaller, int count);
  }

  /**
   * Which part of the other elements is smaller, as {@code percent_rank} of SQL: 0.5, 0, 0.75, 0, 1
   * for 3, 1, 4, 1, 5. It is 0 if there are no others.
   */
  public final Doubles percentRanks() {
    Percent percent = (smaller, count) -> smaller / Math.max(count - 1.0, 1.0);
    Ints smaller = sorted().lowerBounds(self());
    Transform one = Transform.ofInt("one", _ -> 1);
    return funnel.doubles(percent, smaller, smaller.value(Reduction.of(Operator.SUM, one)));
  }

  /**
   * How many elements of its part each of some others finds before it, see {@link SortedSearch}.
   */
  final Ints within(SortedSearch search, S others, Ints begins, Ints ends) {
    return ints(node(search.within(), others, begins, ends), "");
  }

  /** How many elements of its segment come before each element, or not after it. */
  private Ints inSegment(SortedSearch search, Segments segments) {
    Ints begins = segments.begins(this);
    return sorted(segments).within(search, self(), begins, segments.ends(this));
  }

  /**
   * The rank of each element in its segment, see {@link #ranks()}: 2, 1, 2, 1, 3 for the segments
   * 3, 1 and 4, 1, 5.
   */
  public final Ints ranks(Segments segments) {
    return inSegment(SortedSearch.lowerBound(), segments).map(smaller -> smaller + 1);
  }

  /**
   * The rank of each element among the different ones of its segment, see {@link #denseRanks()}.
   */
  public final Ints denseRanks(Segments segments) {
    S sorted = sorted(segments);
    Ints begins = segments.begins(this);
    Ints ends = segments.ends(this);
    SortedSearch before = SortedSearch.lowerBound();
    Ints ranks =
        sorted
            .within(before, sorted, begins, ends)
            .zip(segments.positions(this), (smaller, at) -> smaller == at ? 1 : 0)
            .scan(Operator.SUM, segments);
    return ranks.at(
        sorted.within(before, self(), begins, ends).zip(begins, (smaller, at) -> smaller + at));
  }

  /** The mean of the ranks of equal elements of a segment, see {@link #averageRanks()}. */
  public final Doubles averageRanks(Segments segments) {
    return inSegment(SortedSearch.lowerBound(), segments)
        .zip(inSegment(SortedSearch.upperBound(), segments), (less, notMore) -> less + notMore + 1)
        .mapToDouble(twice -> 0.5 * twice);
  }

  /** Which part of the other elements of its segment is smaller, see {@link #percentRanks()}. */
  public final Doubles percentRanks(Segments segments) {
    Percent percent = (smaller, count) -> smaller / Math.max(count - 1.0, 1.0);
    Ints counts = segments.ends(this).zip(segments.begins(this), (end, begin) -> end - begin);
    return funnel.doubles(percent, inSegment(SortedSearch.lowerBound(), segments), counts);
  }

  /** The last element first, see {@link Reverse}. */
  public final S reversed() {
    return then(Reverse.elements());
  }

  /** The elements in a random order that follows from the seed, see {@link Shuffle}. */
  public final S shuffled(long seed) {
    return then(Shuffle.by(seed));
  }

  /**
   * Each element at its position among {@code length}, all others 0, see {@link Scatter}: 40, 0, 30
   * for 30, 40 at 2, 0 of three.
   */
  public final S scatter(Ints positions, int length) {
    return then(Scatter.into(length), positions);
  }

  // With other arrays.

  /** These elements, and then those of other arrays. */
  @SafeVarargs
  public final S concat(S... others) {
    return then(Concat.all(), others);
  }

  /**
   * Each element as often as its length says: 4, 4, 9 for 4, 7, 9 and 2, 0, 1, see {@link
   * funnel.select.Runs#decode}.
   */
  public final S repeated(Ints lengths) {
    return sized(capacity -> decode(capacity), lengths);
  }

  private S sized(IntFunction<Operation> operation, Operand... more) {
    return like(Node.sized(operation, refsAnd(more)).output(type()));
  }

  /** The runs of equal neighbours, see {@link funnel.select.Runs}. */
  public final Runs<S> runs() {
    Node.Applied node = isAscending() ? node(encode()).ascending() : node(encode());
    return new Runs<>(like(node.output(type())), ints(node, "_starts"), ints(node, "_lengths"));
  }

  /**
   * How many of these elements, which are in ascending order, come before each of others: lower
   * bounds.
   *
   * @throws NotAscendingException if they are not, when it is read
   */
  public final Ints lowerBounds(S others) {
    return search(SortedSearch.lowerBound(), others);
  }

  /**
   * How many of these elements, which are in ascending order, do not come after each of others.
   *
   * @throws NotAscendingException if they are not, when it is read
   */
  public final Ints upperBounds(S others) {
    return search(SortedSearch.upperBound(), others);
  }

  /**
   * The position of each of others among these elements, which are in ascending order, or if it is
   * not there -1 minus its lower bound, see {@link SortedSearch}.
   *
   * @throws NotAscendingException if they are not, when it is read
   */
  public final Ints search(S others) {
    return search(SortedSearch.binarySearch(), others);
  }

  /**
   * The union with another array in ascending order, see {@link SetOperation}: 1, 3, 4 for 3, 1 and
   * 4, 3. An array that does not follow from {@link #sorted()} is sorted for it.
   */
  public final S union(S other) {
    return ofSets(SetOperation.union(), other);
  }

  /** The elements that are in another array too, like {@link #union}: 3, 4 for 3, 1, 4 and 4, 3. */
  public final S intersection(S other) {
    return ofSets(SetOperation.intersection(), other);
  }

  /** The elements that are not in another array, like {@link #union}: 1 for 3, 1, 4 and 4, 3. */
  public final S difference(S other) {
    return ofSets(SetOperation.difference(), other);
  }

  // Kept.

  /** What is kept, which functions look up. */
  final Kept kept() {
    if (kept == null) {
      throw new IllegalStateException(
          "%s is not kept, and only kept arrays have elements by index: keep() it first"
              .formatted(this));
    }
    return kept;
  }

  /** The Java array of the elements, which are kept. */
  final Object elements() {
    return kept().array();
  }

  /** What is thrown for an index outside. */
  final ArrayIndexOutOfBoundsException outside(int index) {
    String name = ref.node() instanceof Node.Given given ? given.name() : "";
    return new ArrayIndexOutOfBoundsException(
        "Index %s out of bounds for length %s of %s"
            .formatted(index, kept().length(), name.isEmpty() ? "a kept array" : "array " + name));
  }

  /**
   * Computes the elements, and keeps them until they are closed: later readings begin with them.
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="keep"}
   *
   * <p>Functions read elements of a kept array by index: {@code keys.map(k -> 3 * table.get(k))},
   * see {@link Ints#get}.
   *
   * <p>On a device they are computed and stay there. Readings of the array upload nothing, and one
   * compiled plan serves all kept arrays of similar length. Where the computation finds how many
   * elements there are, it begins with room for the most, and what it finds is copied once more on
   * the device. The memory is that of the next array of the same type and length that is kept after
   * this one was closed; it is freed when memory runs short, or there are many. On the JVM the
   * elements are in an array that nobody else has. An array that is lost without being closed is
   * freed by the garbage collector, with a warning.
   *
   * @throws funnel.operation.FunnelMemoryException if they do not fit on the device
   */
  public final S keep() {
    return like(funnel.keep(ref));
  }

  /** Whether this is what {@link #keep} gave, which may be closed meanwhile. */
  public final boolean isKept() {
    return kept != null;
  }

  /**
   * The array by a name, for messages and as a {@linkplain Table#ints column of tables}: {@code
   * funnel.of(array).named("paid")}.
   *
   * @param name a letter, then at most 99 letters, digits and single underscores
   * @throws IllegalArgumentException if the name is malformed or too long
   */
  public final S named(String name) {
    PlanNames.require(name);
    return like(ref.named(name));
  }

  /**
   * Adds this {@linkplain #keep kept} array as an input of a plan, whose runs read it where it is.
   * Close the plan before it.
   *
   * @param plan a plan of the same Funnel
   * @param input the input's name there
   * @return the plan
   * @throws IllegalStateException if this array is not kept, or closed
   */
  public final Plan.Builder input(Plan.Builder plan, String input) {
    if (!(ref.node() instanceof Node.Resident given)) {
      throw new IllegalStateException(
          "%s is not kept: keep() it, or add an input and set it".formatted(this));
    }
    return funnel.input(plan, input, given.kept());
  }

  /**
   * Frees what is {@linkplain #keep kept}; of another array it does nothing. Arrays that follow
   * from a closed one cannot be read any more.
   */
  @Override
  public final void close() {
    if (ref.node() instanceof Node.Resident given) {
      given.kept().close();
    }
  }

  /**
   * Computes the first and last elements, or all if there are not more than {@code most}, in words.
   *
   * @throws IllegalArgumentException if {@code most} is negative
   */
  public final Preview preview(int most) {
    return Table.of(funnel, List.of(ref)).preview(most);
  }

  /**
   * The type, the name if it has one, and the first and last elements, or that they are not
   * computed: nothing is, and nothing is waited for. For example {@code ints[5]: 3, 1, 4, 1, 5}.
   */
  @Override
  public final String toString() {
    return ref.text();
  }
}
