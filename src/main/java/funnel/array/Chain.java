package funnel.array;

import funnel.Results;
import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Operations one after the other as one operation.
 *
 * @param links the operations
 * @param wanted the names of its outputs, arrays and values, among those of the links
 * @param counted the names of arrays whose lengths are outputs too
 */
record Chain(List<Link> links, List<String> wanted, List<String> counted) implements Operation {

  /**
   * An operation of a chain.
   *
   * @param name the name of its output in the chain
   * @param of the names of its inputs: {@link #input} for those of the chain
   */
  record Link(String name, Operation operation, List<String> of) {}

  /**
   * A primitive whose form is known, and not made again: functions with new values need new ones.
   */
  private record Known(Primitive of, Step asIs) implements Primitive {
    @Override
    public String id() {
      return of.id();
    }

    @Override
    public Step in(Setting setting) {
      return setting.equals(Setting.asIs()) ? asIs : of.in(setting);
    }
  }

  private static final String NEEDED = "_needed";
  private static final String LENGTH = "_length_";

  /** The name of an input of the chain. */
  static String input(int at) {
    return "input" + at;
  }

  /** The name outside of the length of an array that is {@link #counted}. */
  static String length(String output, String name) {
    return output + LENGTH + name;
  }

  /** The name outside of an array or value of the chain. */
  static String outside(String output, String name) {
    return output + "_" + name;
  }

  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Map<String, Input> arrays = new HashMap<>();
    IntStream.range(0, inputs.size()).forEach(i -> arrays.put(input(i), inputs.get(i)));
    Map<String, Output> values = new HashMap<>();
    List<Primitive> parts = new ArrayList<>();
    Set<String> made = new HashSet<>();
    List<Output> needed = new ArrayList<>();
    for (Link link : links) {
      List<Input> of = link.of().stream().map(name -> input(name, arrays, values)).toList();
      needed.addAll(needed(output + NEEDED + needed.size(), of));
      Expansion expansion = link.operation().expand(outside(output, link.name()), of);
      for (Primitive primitive : expansion.primitives()) {
        Known part = new Known(primitive, primitive.asIs());
        parts.add(part);
        part.asIs()
            .layout()
            .arrays()
            .forEach(
                slot -> {
                  made.add(slot.name());
                  arrays.put(
                      slot.name().substring(output.length() + 1),
                      new Input(slot.name(), slot.type(), slot.length()));
                });
      }
      expansion
          .outputs()
          .forEach(each -> values.put(each.name().substring(output.length() + 1), each));
    }
    List<Output> outputs = new ArrayList<>(needed);
    counted.forEach(
        name -> outputs.add(Count.of(length(output, name), input(name, arrays, values).name())));
    wanted.stream().filter(values::containsKey).map(values::get).forEach(outputs::add);
    Set<String> visible = new HashSet<>();
    wanted.stream()
        .filter(name -> !values.containsKey(name))
        .forEach(name -> visible.add(outside(output, name)));
    return new Expansion(
        parts.size() == 1 && visible.containsAll(made)
            ? parts
            : List.of(Composite.of(output, parts, visible)),
        outputs);
  }

  /**
   * The number of elements that a function gets, and a value that it then needs: two outputs for
   * each value that no empty array has.
   */
  private static List<Output> needed(String name, List<Input> of) {
    List<Output> needed = new ArrayList<>();
    Optional<Input> rows = of.stream().filter(input -> input.value() == null).findFirst();
    for (Input each : of) {
      Output value = each.value();
      if (value != null && !value.emptyReason().isEmpty() && rows.isPresent()) {
        String at = name + "_" + needed.size();
        needed.addAll(
            List.of(
                Count.of(at + "_rows", rows.get().name()),
                new Output(
                    at + "_value",
                    value.type(),
                    value.input(),
                    value.emptyReason(),
                    value.result(),
                    value.finish())));
      }
    }
    return needed;
  }

  /** Throws if a function had elements, and a value of an empty array which is not defined. */
  void requireDefined(String output, Results results) {
    if (links.stream().allMatch(link -> link.of().size() < 2)) {
      return; // as most
    }
    for (String name : results.names()) {
      if (name.startsWith(output + NEEDED) && name.endsWith("_rows") && results.getInt(name) > 0) {
        var _ = results.get(name.replace("_rows", "_value"));
      }
    }
  }

  private static Input input(String name, Map<String, Input> arrays, Map<String, Output> values) {
    Output value = values.get(name);
    if (value != null) {
      return new Input(value.name(), value.type(), 1, value);
    }
    Input input = arrays.get(name);
    if (input == null) {
      throw new IllegalStateException(
          "a chain has no array %s; there are %s".formatted(name, arrays.keySet()));
    }
    return input;
  }

  @Override
  public boolean takesValues() {
    return true;
  }

  @Override
  public String toString() {
    return String.join(", ", links.stream().map(link -> link.operation().toString()).toList());
  }
}
