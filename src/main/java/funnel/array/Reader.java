package funnel.array;

import funnel.ElementStream;
import funnel.Elements;
import funnel.Results;
import funnel.call.Call;
import funnel.engine.KeptArray;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.OutputTooShortException;
import funnel.operation.UnknownLengthException;
import funnel.operator.CapturedValues;
import funnel.operator.ElementType;
import funnel.plan.Kept;
import funnel.rank.Quantiles;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.select.Unique;
import funnel.sort.Sort;
import funnel.stream.StreamParts;
import funnel.transform.IndexOutsideException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Computes arrays and values of chains: all that is read together by one plan. */
public final class Reader {

  /* Where an operation must know the length of an array before a run, and another finds it, the
   * arrays that it takes are read first. Where it must know how much room its output needs, and has
   * too little, it runs again with as much as it found. What was learned so is kept by the chain's
   * structure, so that the next reading of its kind begins with it.
   */

  private static final Logger LOG = LoggerFactory.getLogger("funnel.Funnel");
  private static final String OUTPUT = "read";
  private static final int MOST_KINDS = 256;
  private static final int LEAST_CAPACITY = 1024;

  /** More room is taken only for what was found, since it may not be needed. */
  private static final int MOST_EXPECTED = 1 << 24;

  /** The calls of a Funnel. */
  public interface Calls {
    /** Runs an operation once, over elements and kept arrays by the names of the call. */
    Results once(Call call, Map<String, Elements> given, Map<String, KeptArray> kept);

    /**
     * Runs an operation once, an output of which stays on the device if a check of the rest passes.
     */
    KeptArray keep(
        Call call,
        Map<String, Elements> given,
        Map<String, KeptArray> kept,
        String output,
        Consumer<Results> check);

    /** Streams a source. */
    ElementStream over(Source source);

    /** An array of a call's results, which is not read again. */
    Elements take(Results results, String name);
  }

  /**
   * A chain's structure.
   *
   * @param inputs about how many elements each input has
   */
  private record Kind(Chain chain, List<Long> inputs) {
    Kind(Demand demand) {
      this(
          demand.chain(),
          demand.inputs().stream().map(each -> Long.highestOneBit(each.length())).toList());
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Kind kind
          && inputs.equals(kind.inputs)
          && CapturedValues.ignoring(() -> chain.equals(kind.chain));
    }

    @Override
    public int hashCode() {
      return Objects.hash(chain, inputs);
    }
  }

  /**
   * What readings of a kind have shown.
   *
   * @param first the names of arrays that are read first, in the chain
   * @param capacity the room that its operations need
   */
  private record Learned(List<String> first, int capacity) {}

  private final Calls calls;
  private final Map<Kind, Learned> learned =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, Learned> eldest) {
          return size() > MOST_KINDS;
        }
      };

  /** A reader. */
  public Reader(Calls calls) {
    this.calls = calls;
  }

  /** What was read. */
  public final class Answer {
    private final Demand demand;
    private final Results results;
    private final Set<Object> taken = ConcurrentHashMap.newKeySet();

    private Answer(Demand demand, Results results) {
      this.demand = demand;
      this.results = results;
    }

    /** An array. */
    public Elements array(Ref array) {
      String name = demand.named(array);
      return switch (demand.given(array)) {
        case Node.InMemory given -> given.elements();
        case Node.Resident given -> given.kept().elements();
        case Node.Streamed _ -> throw notStreamed("its elements cannot be read into an array");
        case null -> taken(array, Chain.outside(OUTPUT, name));
      };
    }

    private Elements taken(Ref array, String name) {
      if (!results.isArray(name)) {
        throw new IllegalArgumentException(
            "the operation's output is a single value, not an array: use x.value(reduction) or"
                + " funnel.run(operation, elements)");
      }
      Elements elements = calls.take(results, name);
      if (elements.type() != array.type()) {
        throw otherType(elements.type(), array);
      }
      return elements;
    }

    /** An array as a Java array in memory of its own. */
    public Object copy(Ref array) {
      return copy(array(array));
    }

    private static Object copy(Elements there) {
      Elements copy = Elements.allocate(there.type(), there.length());
      copy.segment().copyFrom(there.segment());
      return copy.segment().heapBase().orElseThrow();
    }

    /**
     * An array as a Java array that nobody else has, of an answer that is not asked for it again:
     * the computed array itself where that can be. Two may be the same one, of which the second is
     * a copy.
     */
    public Object own(Ref array) {
      Elements there = array(array);
      Object own = there.segment().heapBase().orElse(null);
      return array.unchecked().node() instanceof Node.Given
              || own == null
              || java.lang.reflect.Array.getLength(own) != there.length()
              || !taken.add(own)
          ? copy(there)
          : own;
    }

    /** Copies an array into other memory; returns its length. */
    public int copyInto(Ref array, Elements into) {
      Elements there = array(array);
      if (into.type() != there.type()
          || into.length() < there.length()
          || into.segment().isReadOnly()) {
        throw new IllegalArgumentException(
            "the elements cannot be copied into %s: type=%s, length=%s, capacity=%s, read-only=%s"
                .formatted(
                    into,
                    there.type(),
                    there.length(),
                    into.length(),
                    into.segment().isReadOnly()));
      }
      into.range(0, there.length()).segment().copyFrom(there.segment());
      return there.length();
    }

    /** A value; throws if it is not defined. */
    public Number value(Ref value) {
      return results.get(name(value));
    }

    /** The name of an array or value among the {@link #results}. */
    public String name(Ref wanted) {
      return Chain.outside(OUTPUT, demand.named(wanted));
    }

    /** What was computed. */
    public Results results() {
      return results;
    }
  }

  /** Computes arrays and values. */
  public Answer read(List<Ref> wanted) {
    return read(wanted, Map.of());
  }

  private Answer read(List<Ref> wanted, Map<Ref, Node.Given> known) {
    return read(wanted, known, this::once);
  }

  /**
   * Computes an array that stays on the device, where it may have room for more elements; null if
   * it is there already, or a source's.
   */
  public @Nullable KeptArray keep(Ref wanted) {
    Demand demand = new Demand(List.of(wanted), Map.of(), LEAST_CAPACITY);
    if (demand.given(wanted) != null
        || demand.inputs().stream().anyMatch(Node.Streamed.class::isInstance)) {
      return null;
    }
    return read(List.of(wanted), Map.of(), now -> kept(now, wanted));
  }

  private KeptArray kept(Demand demand, Ref wanted) {
    String output = Chain.outside(OUTPUT, demand.named(wanted));
    Consumer<Results> check = results -> require(demand, results);
    KeptArray array =
        over(demand, (call, given, kept) -> calls.keep(call, given, kept, output, check));
    if (array.type() != wanted.type()) {
      array.close();
      throw otherType(array.type(), wanted);
    }
    return array;
  }

  private <T> T read(List<Ref> wanted, Map<Ref, Node.Given> known, Function<Demand, T> once) {
    Demand asked = new Demand(wanted, known, LEAST_CAPACITY);
    Demand demand = asked;
    Learned so = learned(demand);
    if (so != null && !so.first().isEmpty()) {
      return readFirst(so.first(), demand, wanted, known, once);
    }
    int capacity = so != null ? so.capacity() : capacityFor(asked);
    if (demand.isSized()) {
      demand = new Demand(wanted, known, capacity);
    }
    try {
      return once.apply(demand);
    } catch (UnknownLengthException e) {
      List<String> first = inside(e.arrays());
      if (demand.computedFor(first).isEmpty()) {
        throw e;
      }
      learn(asked, new Learned(first, LEAST_CAPACITY));
      return readFirst(first, demand, wanted, known, once);
    } catch (OutputTooShortException e) {
      boolean hadRoom = e.found() <= capacity;
      if (!demand.isSized() || hadRoom || e.found() > Input.LARGEST_CAPACITY) {
        throw e;
      }
      learn(asked, new Learned(List.of(), CapturedValues.capacity((int) e.found())));
      return read(wanted, known, once);
    } catch (IndexOutsideException e) {
      List<Ref> columns = demand.checked();
      if (!wanted.containsAll(columns)) {
        var _ = read(columns, known); // says so if one is too short
      }
      throw e;
    }
  }

  /** As many as the longest input has: a join has about that many, and then one plan will do. */
  private static int capacityFor(Demand asked) {
    long longest = asked.inputs().stream().mapToLong(Node.Given::length).max().orElse(0);
    return CapturedValues.capacity((int) Math.min(longest, MOST_EXPECTED));
  }

  private Answer once(Demand demand) {
    List<Node.Given> inputs = demand.inputs();
    if (demand.chain().links().isEmpty()) {
      return answer(demand, Results.of(Map.of()));
    }
    if (inputs.stream().anyMatch(Node.Streamed.class::isInstance)) {
      return answer(demand, streamed(demand, inputs));
    }
    return answer(demand, over(demand, calls::once));
  }

  private Answer answer(Demand demand, Results results) {
    require(demand, results);
    return new Answer(demand, results);
  }

  /** Requires what only a run shows. */
  private static void require(Demand demand, Results results) {
    demand.chain().requireDefined(OUTPUT, results);
    demand.requireEqualLengths(OUTPUT, results);
  }

  private interface Calling<T> {
    T call(Call call, Map<String, Elements> given, Map<String, KeptArray> kept);
  }

  private <T> T over(Demand demand, Calling<T> calling) {
    List<Node.Given> inputs = demand.inputs();
    List<String> names = names(inputs);
    Call call = new Call(OUTPUT, OUTPUT, demand.chain(), names);
    Map<String, Elements> given = new LinkedHashMap<>();
    Map<String, KeptArray> kept = new LinkedHashMap<>();
    List<Kept> acquired = new ArrayList<>();
    try {
      for (int i = 0; i < names.size(); i++) {
        switch (inputs.get(i)) {
          case Node.Resident there when there.kept().isOnDevice() -> {
            kept.put(names.get(i), there.kept().acquire());
            acquired.add(there.kept());
          }
          case Node.Resident there -> given.put(names.get(i), there.kept().elements());
          case Node.InMemory there -> given.put(names.get(i), there.elements());
          case Node.Streamed _ -> throw new AssertionError(names.get(i));
        }
      }
      return calling.call(call, given, kept);
    } catch (RuntimeException e) {
      NamesException.explain(e, demand.chain(), OUTPUT, names, inputs);
      throw e;
    } finally {
      acquired.forEach(Kept::release);
    }
  }

  private static IllegalArgumentException otherType(ElementType is, Ref wanted) {
    return new IllegalArgumentException(
        "the operation's output is of type %s, not %s: use the method of that type"
            .formatted(is, wanted.type()));
  }

  /** Operations over sources, those over the same ones in one pass. */
  private Results streamed(Demand demand, List<Node.Given> inputs) {
    Chain chain = demand.chain();
    Map<List<Source>, Map<String, Operation>> passes = new LinkedHashMap<>();
    for (Chain.Link link : chain.links()) {
      passes
          .computeIfAbsent(sources(link, inputs), _ -> new TreeMap<>())
          .put(Chain.outside(OUTPUT, link.name()), link.operation());
    }
    Set<String> wanted = new HashSet<>();
    chain.wanted().forEach(name -> wanted.add(Chain.outside(OUTPUT, name)));
    Map<String, Object> outputs = new HashMap<>();
    passes.forEach((sources, operations) -> outputs.putAll(pass(sources, operations, wanted)));
    demand.ofType(ElementType.INT).stream()
        .map(name -> Chain.outside(OUTPUT, name))
        .forEach(name -> outputs.computeIfPresent(name, (_, output) -> ints(output)));
    return Results.of(outputs);
  }

  /** Reads sources once for all operations; but those of quantiles take several readings each. */
  private Map<String, Object> pass(
      List<Source> sources, Map<String, Operation> operations, Set<String> wanted) {
    ElementStream stream = calls.over(sources.getFirst());
    Source[] others = sources.stream().skip(1).toArray(Source[]::new);
    Map<String, Operation> together = new HashMap<>(operations);
    Map<String, Object> outputs = new HashMap<>();
    try {
      for (Map.Entry<String, Operation> each : operations.entrySet()) {
        if (each.getValue() instanceof Quantiles quantiles) {
          together.remove(each.getKey());
          outputs.put(each.getKey(), stream.quantiles(quantiles).elements(StreamParts.RESULT));
        }
      }
      if (!together.isEmpty()) {
        Results results = stream.run(together, others);
        results.names().stream()
            .filter(wanted::contains)
            .forEach(name -> outputs.put(name, output(results, name)));
      }
      return outputs;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Object output(Results results, String name) {
    return results.isArray(name) ? results.elements(name) : results.get(name);
  }

  /** Counts and positions of a source are longs, and those of an array ints. */
  private static Object ints(Object output) {
    return output instanceof Elements array && array.type() == ElementType.LONG
        ? Elements.of(
            LongStream.of((long[]) array.segment().heapBase().orElseThrow())
                .mapToInt(Math::toIntExact)
                .toArray())
        : output;
  }

  private static List<Source> sources(Chain.Link link, List<Node.Given> inputs) {
    List<Source> sources = new ArrayList<>();
    for (String name : link.of()) {
      int at =
          IntStream.range(0, inputs.size())
              .filter(i -> Chain.input(i).equals(name))
              .findFirst()
              .orElse(-1);
      if (at < 0 || !(inputs.get(at) instanceof Node.Streamed given)) {
        throw notStreamed(
            "%s takes an array that is no source, or that was computed from one"
                .formatted(link.operation()));
      }
      sources.add(given.source());
    }
    return sources;
  }

  private static IllegalArgumentException notStreamed(String why) {
    return new IllegalArgumentException(
        "%s, but a source is read piece by piece: read it into a Java array first, or see docs/streams.md for the operations of funnel.over(source)"
            .formatted(why));
  }

  /**
   * Writes an array into a sink.
   *
   * @return the number of its elements
   */
  public long write(Ref array, Sink sink) throws IOException {
    Demand demand = new Demand(List.of(array), Map.of(), LEAST_CAPACITY);
    List<Node.Given> inputs = demand.inputs();
    List<Chain.Link> links = demand.chain().links();
    if (inputs.stream().noneMatch(Node.Streamed.class::isInstance)) {
      Elements elements = read(List.of(array)).array(array);
      sink.write(0, elements.segment());
      return elements.length();
    }
    if (links.size() != 1) {
      throw notStreamed("this is more than one operation over a source");
    }
    List<Source> sources = sources(links.getFirst(), inputs);
    ElementStream stream = calls.over(sources.getFirst());
    switch (links.getFirst().operation()) {
      case Select select when sources.size() == 1 -> {
        return stream.select(select, sink);
      }
      case Select select -> {
        return stream.select(select, sources.get(1), sink);
      }
      case Unique _ -> {
        return stream.unique(sink);
      }
      case Scan scan -> {
        var _ = stream.scan(scan, sink);
      }
      case Sort sort -> stream.sort(sort, sink);
      case Operation other -> throw notStreamed("%s is not written to a sink".formatted(other));
    }
    return sources.getFirst().length();
  }

  /** The names of inputs in messages, which are unique, and none of the chain's own. */
  private static List<String> names(List<Node.Given> inputs) {
    Set<String> taken = new HashSet<>(inputs.stream().map(Node.Given::name).toList());
    List<String> names = new ArrayList<>();
    int made = 0;
    for (Node.Given given : inputs) {
      String name = given.name();
      while (name.isEmpty() || isTaken(name) || names.contains(name)) {
        String next = "array" + ++made;
        name = taken.contains(next) ? "" : next;
      }
      names.add(name);
    }
    return names;
  }

  private static boolean isTaken(String name) {
    return name.equals(OUTPUT) || isOfChain(name);
  }

  /** Reads arrays whose length must be known, then the rest. */
  private <T> T readFirst(
      List<String> arrays,
      Demand demand,
      List<Ref> wanted,
      Map<Ref, Node.Given> known,
      Function<Demand, T> once) {
    List<Ref> first = demand.computedFor(arrays);
    LOG.debug("{} are read first: their lengths must be known", arrays);
    Answer before = read(first, known);
    Map<Ref, Node.Given> more = new HashMap<>(known);
    first.forEach(ref -> more.put(ref, new Node.InMemory(before.array(ref), "")));
    return read(wanted, more, once);
  }

  /** The names in a chain of the arrays of its operations, without those of inputs. */
  private static List<String> inside(List<String> arrays) {
    return arrays.stream()
        .filter(Reader::isOfChain)
        .map(array -> array.substring(Chain.outside(OUTPUT, "").length()))
        .toList();
  }

  private static boolean isOfChain(String name) {
    return name.startsWith(Chain.outside(OUTPUT, ""));
  }

  private synchronized @Nullable Learned learned(Demand demand) {
    return learned.isEmpty() ? null : learned.get(new Kind(demand));
  }

  private synchronized void learn(Demand demand, Learned what) {
    learned.put(new Kind(demand), what);
  }
}
