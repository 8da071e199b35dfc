package funnel.array;

import funnel.Results;
import funnel.group.Aggregate;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What has to be computed for some arrays and values, as one operation. */
final class Demand {

  /* First all that is needed is visited, to learn who uses what: a node whose outputs are those
   * that are asked for is complete only then, and two operations are made one only where nothing
   * else uses what is between them. Then links are named in an order in which each comes after its
   * inputs. Equal structures have equal names, so that they share a plan.
   *
   * A column of groups may depend on another aggregate of the same groups: each element's distance
   * from the mean of its group, say. The two are then not made together. Of a node that so depends
   * on itself, links have levels, each of which takes only what is of lower ones.
   *
   * A chain may be longer than a stack is deep: it is refused before anything here calls itself once
   * for each operation.
   */

  /* A task graph of TornadoVM has room for a thousand arrays or so, and an operation has up to five.
   */
  private static final int MOST = 200;

  private final Map<Ref, Node.Given> known;
  private final int capacity;
  private final Map<Node, Set<Ref>> uses = new HashMap<>();
  private final Map<Ref, Integer> users = new HashMap<>();
  private final Map<Node, List<Ref>> parts = new LinkedHashMap<>();
  private final Set<Node> circular = new HashSet<>();
  private final Map<Ref, Integer> levels = new HashMap<>();
  private final Map<Level, Resolved> resolved = new HashMap<>();
  private final Map<Node.Given, String> inputs = new LinkedHashMap<>();
  private final List<Resolved> links = new ArrayList<>();
  private final Map<Ref, String> names = new LinkedHashMap<>();
  private final Set<List<Ref>> equallyLong = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Chain chain;
  private boolean isSized;
  private int made;

  /** Those outputs of a node that are made together; all, unless it depends on itself. */
  private record Level(Node.Applied node, int level) {}

  /** A link, and the arrays that it takes. */
  private record Resolved(Chain.Link link, List<Ref> of, @Nullable Transform map) {}

  /**
   * A demand.
   *
   * @param wanted what is asked for
   * @param known what has been computed before
   * @param capacity the room for operations that need to know it
   */
  Demand(List<Ref> wanted, Map<Ref, Node.Given> known, int capacity) {
    this.known = known;
    this.capacity = capacity;
    use(wanted);
    parts.keySet().stream().filter(this::dependsOnItself).forEach(circular::add);
    wanted.forEach(ref -> names.put(ref, name(ref)));
    List<String> outputs =
        names.entrySet().stream()
            .filter(each -> given(each.getKey()) == null)
            .map(Map.Entry::getValue)
            .distinct()
            .toList();
    List<String> counted =
        equallyLong.stream()
            .flatMap(List::stream)
            .filter(ref -> given(ref) == null)
            .map(this::name)
            .distinct()
            .sorted()
            .toList();
    chain = new Chain(links.stream().map(Resolved::link).toList(), outputs, counted);
  }

  /** What is computed. */
  Chain chain() {
    return chain;
  }

  /** The arrays that it is computed from, in the order of the chain's inputs. */
  List<Node.Given> inputs() {
    return List.copyOf(inputs.keySet());
  }

  /** The name in the chain of what is asked for. */
  String named(Ref wanted) {
    String name = names.get(wanted);
    if (name == null) {
      throw new IllegalArgumentException(
          "this was not read: give the same object to read(...) and to get");
    }
    return name;
  }

  /** The names of what is asked for and has a type. */
  List<String> ofType(ElementType type) {
    return names.entrySet().stream()
        .filter(each -> each.getKey().type() == type)
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Whether an operation needs to know how much room there is to be. */
  boolean isSized() {
    return isSized;
  }

  /** The array that is there for what is asked for, if it need not be computed. */
  Node.@Nullable Given given(Ref ref) {
    Ref array = ref.unchecked();
    Node.Given before = known.get(array);
    return before != null ? before : array.node() instanceof Node.Given given ? given : null;
  }

  /** Columns of tables that are found to be equally long or not. */
  List<Ref> checked() {
    return equallyLong.stream().flatMap(columns -> Node.equallyLong(columns).stream()).toList();
  }

  /**
   * Requires that columns of a table are equally long.
   *
   * @param output the name of the chain outside
   */
  void requireEqualLengths(String output, Results results) {
    for (List<Ref> columns : equallyLong) {
      List<Long> lengths = columns.stream().map(ref -> length(ref, output, results)).toList();
      if (lengths.stream().distinct().count() > 1) {
        throw new IllegalArgumentException(
            "the columns of a table are equally long: %s: lengths=%s"
                .formatted(columns.stream().map(Ref::text).toList(), lengths));
      }
    }
  }

  private long length(Ref ref, String output, Results results) {
    Node.Given given = given(ref);
    return given != null ? given.length() : results.getInt(Chain.length(output, name(ref)));
  }

  /**
   * The computed arrays to be read first for arrays whose length must be known: these, and of one
   * inside a link all that the link takes.
   *
   * @param arrays names in the chain
   */
  List<Ref> computedFor(List<String> arrays) {
    List<Ref> first = new ArrayList<>();
    for (String array : arrays) {
      for (Resolved link : links) {
        boolean isInside = array.startsWith(link.link().name() + ".");
        for (int i = 0; i < link.of().size(); i++) {
          Ref ref = link.of().get(i);
          if (given(ref) == null && (isInside || link.link().of().get(i).equals(array))) {
            first.add(ref.unchecked());
          }
        }
      }
    }
    return first.stream().distinct().toList();
  }

  private void use(List<Ref> wanted) {
    Deque<Ref> next = new ArrayDeque<>(wanted);
    while (!next.isEmpty()) {
      Ref asked = next.pop();
      Ref ref = asked.unchecked();
      for (Ref at = asked; at.node() instanceof Node.Checked checked; at = checked.of) {
        if (equallyLong.add(checked.all)) {
          checked.all.stream().filter(column -> given(column) == null).forEach(next::push);
        }
      }
      Node.Given given = given(ref);
      if (given != null) {
        inputs.computeIfAbsent(given, _ -> Chain.input(inputs.size()));
        continue;
      }
      if (users.merge(ref, 1, Integer::sum) > 1) {
        continue;
      }
      if (ref.part() != null) {
        parts.computeIfAbsent(ref.node(), _ -> new ArrayList<>()).add(ref);
        columns(ref).forEach(next::push);
      }
      Set<Ref> outputs = uses.computeIfAbsent(ref.node(), _ -> new HashSet<>());
      if (outputs.isEmpty()) {
        ((Node.Applied) ref.node()).of.reversed().forEach(next::push);
      }
      outputs.add(ref);
      if (uses.size() > MOST) {
        throw new IllegalArgumentException(
            "what is read takes more than %s operations: keep() an array in between, and go on from what it gives"
                .formatted(MOST));
      }
    }
  }

  private boolean dependsOnItself(Node node) {
    Set<Node> seen = new HashSet<>();
    Deque<Node> next = new ArrayDeque<>(List.of(node));
    while (!next.isEmpty()) {
      Node at = next.pop();
      List<Ref> of = new ArrayList<>(((Node.Applied) at).of);
      parts.getOrDefault(at, List.of()).forEach(ref -> of.addAll(columns(ref)));
      for (Ref ref : of) {
        Node below = ref.unchecked().node();
        if (given(ref) == null && seen.add(below)) {
          next.push(below);
        }
      }
    }
    return seen.contains(node);
  }

  private static List<Ref> columns(Ref ref) {
    Ref.Part part = ref.part();
    Ref column = part == null ? null : part.column();
    return column == null ? List.of() : List.of(column);
  }

  private Level level(Ref ref) {
    Node.Applied node = (Node.Applied) ref.node();
    return new Level(node, circular.contains(node) ? height(ref) : 0);
  }

  /** How many nodes that depend on themselves there are on the longest way to an array. */
  private int height(Ref array) {
    Ref ref = array.unchecked();
    if (given(ref) != null) {
      return 0;
    }
    Integer before = levels.get(ref);
    if (before != null) {
      return before;
    }
    int below = 0;
    for (Ref each : ((Node.Applied) ref.node()).of) {
      below = Math.max(below, height(each));
    }
    for (Ref each : columns(ref)) {
      below = Math.max(below, height(each));
    }
    int height = circular.contains(ref.node()) ? below + 1 : below;
    levels.put(ref, height);
    return height;
  }

  /** What is asked of those outputs of a node that are made together. */
  private List<Ref.Part> parts(Level level) {
    return parts.getOrDefault(level.node(), List.of()).stream()
        .filter(ref -> level(ref).equals(level))
        .map(ref -> Objects.requireNonNull(ref.part()))
        .toList();
  }

  private String name(Ref array) {
    Ref ref = array.unchecked();
    Node.Given given = given(ref);
    if (given != null) {
      return Objects.requireNonNull(inputs.get(given));
    }
    Level level = level(ref);
    String link = resolved(level).link().name();
    Ref.Part part = ref.part();
    return part == null ? link + ref.suffix() : link + "_" + (parts(level).indexOf(part) + 1);
  }

  private Resolved resolved(Level level) {
    Resolved before = resolved.get(level);
    if (before == null) {
      before = link(level);
      resolved.put(level, before);
    }
    return before;
  }

  private Resolved link(Level level) {
    Node.Applied node = level.node();
    List<Ref> of = new ArrayList<>(node.of);
    List<Aggregate> aggregates = new ArrayList<>();
    for (Ref.Part part : parts(level)) {
      Ref column = part.column();
      boolean isNew =
          column != null
              && (part.aggregate() == null
                  || !of.subList(node.of.size(), of.size()).contains(column));
      if (isNew) {
        of.add(column);
      }
      if (part.aggregate() != null) {
        aggregates.add(
            column == null
                ? part.aggregate()
                : part.aggregate().of(of.lastIndexOf(column) - node.of.size() + 1));
      }
    }
    Operation operation = node.making.operation(aggregates, capacity);
    isSized |= node.isSized;
    Transform map = node.map;
    Resolved first = node.fusion == null ? null : onlyFor(of.getFirst());
    if (first != null) {
      Operation both =
          Objects.requireNonNull(node.fusion).with(first.link().operation(), first.map());
      if (both != null) {
        links.remove(first);
        operation = both;
        map = null; // it is no function of one array alone any more
        of.removeFirst();
        of.addAll(0, first.of());
      }
    }
    List<String> inputs = of.stream().map(this::name).toList();
    for (Resolved link : links) {
      if (link.link().of().equals(inputs) && link.link().operation().equals(operation)) {
        return link; // the same is asked for twice
      }
    }
    String name = kind(operation) + ++made;
    Resolved made = new Resolved(new Chain.Link(name, operation, inputs), of, map);
    links.add(made);
    return made;
  }

  /** What a link is called, before its number: letters alone, whatever the class is called. */
  private static String kind(Operation operation) {
    Class<?> type = operation.getClass();
    String letters =
        type.isHidden() // a lambda
            ? ""
            : type.getSimpleName().toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
    return letters.isEmpty() ? "operation" : letters;
  }

  /** What computes an array, its first output, if only one operation uses anything of it. */
  private @Nullable Resolved onlyFor(Ref array) {
    if (given(array) != null
        || !(array.node() instanceof Node.Applied node)
        || !array.suffix().isEmpty()
        || Objects.requireNonNull(users.get(array)) > 1
        || Objects.requireNonNull(uses.get(node)).size() > 1) {
      return null;
    }
    Resolved link = resolved(level(array));
    boolean isShared = resolved.values().stream().filter(each -> each == link).count() > 1;
    return isShared ? null : link;
  }
}
