package funnel.array;

import funnel.Elements;
import funnel.Results;
import funnel.call.Call;
import funnel.operation.Input;
import funnel.operation.OutputTooShortException;
import funnel.operation.UnknownLengthException;
import funnel.operator.CapturedValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

  /** The calls of a Funnel. */
  public interface Calls {
    /** Runs an operation once. */
    Results once(Call call, Elements... inputs);

    /** An array of a call's results, which is not read again. */
    Elements take(Results results, String name);
  }

  /** A chain's structure. */
  private record Kind(Chain chain) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Kind kind && CapturedValues.ignoring(() -> chain.equals(kind.chain));
    }

    @Override
    public int hashCode() {
      return chain.hashCode();
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
    private final Set<Ref> taken = ConcurrentHashMap.newKeySet();

    private Answer(Demand demand, Results results) {
      this.demand = demand;
      this.results = results;
    }

    /** An array. */
    public Elements array(Ref array) {
      Node.Given given = demand.given(array);
      return given != null ? given.elements() : calls.take(results, name(array));
    }

    /** An array in memory of its own, as a Java array. */
    public Object copy(Ref array) {
      Elements there = array(array);
      Object own = there.segment().heapBase().orElse(null);
      if (array.node() instanceof Node.Given
          || own == null
          || java.lang.reflect.Array.getLength(own) != there.length()
          || !taken.add(array)) {
        Elements copy = Elements.allocate(there.type(), there.length());
        copy.segment().copyFrom(there.segment());
        return copy.segment().heapBase().orElseThrow();
      }
      return own;
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
    Demand demand = new Demand(wanted, known, LEAST_CAPACITY);
    if (demand.chain().links().isEmpty()) {
      return new Answer(demand, Results.of(Map.of()));
    }
    Kind kind = new Kind(demand.chain());
    Learned so = learned(kind);
    if (so != null && !so.first().isEmpty()) {
      return readFirst(so.first(), demand, wanted, known);
    }
    if (so != null) {
      demand = new Demand(wanted, known, so.capacity());
    }
    try {
      return once(demand);
    } catch (UnknownLengthException e) {
      List<String> first = e.arrays().stream().map(Reader::inside).toList();
      if (demand.computedFor(first).isEmpty()) {
        throw e;
      }
      learn(kind, new Learned(first, LEAST_CAPACITY));
      return readFirst(first, demand, wanted, known);
    } catch (OutputTooShortException e) {
      if (!demand.isSized() || e.found() > Input.LARGEST_CAPACITY) {
        throw e;
      }
      learn(kind, new Learned(List.of(), CapturedValues.capacity((int) e.found())));
      return read(wanted, known);
    }
  }

  private Answer once(Demand demand) {
    List<Node.Given> inputs = demand.inputs();
    List<String> names = names(inputs);
    Call call = new Call(OUTPUT, OUTPUT, demand.chain(), names);
    return new Answer(
        demand,
        calls.once(call, inputs.stream().map(Node.Given::elements).toArray(Elements[]::new)));
  }

  /** The names of inputs in messages, which are unique. */
  private static List<String> names(List<Node.Given> inputs) {
    List<String> names = new ArrayList<>();
    for (Node.Given given : inputs) {
      String name = given.name();
      boolean isFree = !name.isEmpty() && !names.contains(name);
      names.add(isFree ? name : "array" + (names.size() + 1));
    }
    return names;
  }

  /** Reads arrays whose length must be known, then the rest. */
  private Answer readFirst(
      List<String> arrays, Demand demand, List<Ref> wanted, Map<Ref, Node.Given> known) {
    List<Ref> first = demand.computedFor(arrays);
    LOG.debug("{} are read first: their lengths must be known", arrays);
    Answer before = read(first, known);
    Map<Ref, Node.Given> more = new HashMap<>(known);
    first.forEach(ref -> more.put(ref, new Node.Given(before.array(ref), "")));
    return read(wanted, more);
  }

  /** The name in a chain of an array of its operation. */
  private static String inside(String array) {
    return array.substring(Chain.outside(OUTPUT, "").length());
  }

  private synchronized @Nullable Learned learned(Kind kind) {
    return learned.get(kind);
  }

  private synchronized void learn(Kind kind, Learned what) {
    learned.put(kind, what);
  }
}
