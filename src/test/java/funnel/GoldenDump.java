package funnel;

import funnel.engine.Program;
import funnel.engine.device.ProgramArrays;
import funnel.engine.device.ProgramFacts;
import funnel.heat.HeatPrograms;
import funnel.histogram.Histogram;
import funnel.histogram.HistogramMethod;
import funnel.operation.Device;
import funnel.operation.Input;
import funnel.operation.Layout;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Everything that operations launch, as text: the {@link ProgramFacts} of all listed operations,
 * over all types that they take, for several capacities and in all forms. A change that is to leave
 * the launches as they are is compared with the text of before:
 *
 * <pre>
 * java ... funnel.GoldenDump FILE
 * </pre>
 *
 * <p>A digest has a line for each operation over certain types, with two hashes: the second one is
 * of the text without what is in braces, the names of classes and kernels' parameters.
 */
final class GoldenDump implements AutoCloseable {

  /** Properties that the ints of launches depend on. */
  private static final List<String> PROPERTIES =
      List.of(
          "funnel.scan.polls", "funnel.scan.ahead", "funnel.select.polls", "funnel.reduce.polls");

  /** The capacity at which all forms are drawn. */
  private static final int USUAL = 1000;

  /** The capacity at which the form on each device is drawn. */
  private static final int LARGE = 1 << 20;

  /** Of so many, longs are reduced in two launches, and a sample is taken for ranks. */
  private static final int MANY = (1 << 24) + 4;

  /** Capacities of which some forms are drawn, if there are at most two inputs. */
  private static final List<Integer> CAPACITIES = List.of(0, LARGE, 1, MANY);

  /** Capacities for other first types than int: the launches are those of one kernel source. */
  private static final List<Integer> OF_OTHERS = List.of(LARGE, MANY);

  /** Of operations that take several inputs of more combinations of types, only some are drawn. */
  private static final int MANY_TYPES = 10;

  /** Shipped operations that are not listed are drawn over these. */
  private static final List<List<ElementType>> SHIPPED_OVER =
      List.of(
          List.of(),
          List.of(ElementType.INT),
          List.of(ElementType.INT, ElementType.INT),
          List.of(ElementType.INT, ElementType.BYTE),
          List.of(ElementType.BYTE, ElementType.INT),
          List.of(ElementType.INT, ElementType.INT, ElementType.INT),
          List.of(ElementType.INT, ElementType.INT, ElementType.INT, ElementType.INT));

  /** The capacity of inputs whose length is found. */
  private static final int FOUND = 3000;

  private static final List<Device> DEVICES =
      List.of(
          new Device("NVIDIA H200", "ptx"),
          new Device("NVIDIA H200", "cuda"),
          Device.EMULATOR,
          new Device("another", "opencl"));

  /** An operation over certain inputs, in all variants that have one name. */
  private record Key(String name, List<ElementType> types) {
    /** Those of one type, and a fifth, with any two types at any two places. */
    boolean isDrawn() {
      return types.stream().distinct().count() < 2
          || types.stream().mapToInt(Enum::ordinal).sum() % ElementType.values().length == 0;
    }

    @Override
    public String toString() {
      return name + types.stream().map(Enum::name).collect(Collectors.joining(", ", " of [", "]"));
    }
  }

  private final Writer text;
  private final List<String> digest = new ArrayList<>();
  private final MessageDigest all = sha256();
  private final MessageDigest unnamed = sha256();

  /** What was written of the present operation, and where, so that it is not written again. */
  private final Map<String, String> written = new HashMap<>();

  private GoldenDump(Writer text) {
    this.text = text;
  }

  /** Writes the text to a file, and returns the lines of the digest. */
  static List<String> write(Path file) throws IOException {
    Map<String, String> properties = new HashMap<>();
    for (String property : PROPERTIES) {
      String value = System.getProperty(property);
      if (value != null) {
        properties.put(property, value);
        System.clearProperty(property);
      }
    }
    Files.createDirectories(file.toAbsolutePath().getParent());
    try (GoldenDump dump = new GoldenDump(Files.newBufferedWriter(file))) {
      dump.operations();
      dump.heat();
      return dump.digest;
    } finally {
      properties.forEach(System::setProperty);
    }
  }

  /** Writes the text to a file, and prints the digest. */
  public static void main(String[] arguments) throws IOException {
    write(Path.of(arguments[0])).forEach(System.out::println);
  }

  @Override
  public void close() throws IOException {
    text.close();
  }

  private void operations() throws IOException {
    Map<Key, Set<Operation>> operations = new LinkedHashMap<>();
    Map<String, Map<String, Set<String>>> refused = new TreeMap<>();
    ListedOperations.each(
        (named, inputs) -> {
          List<ElementType> types = inputs.stream().map(Input::type).toList();
          try {
            expand(named.operation(), "o", inputs);
            operations
                .computeIfAbsent(new Key(named.name(), types), _ -> new LinkedHashSet<>())
                .add(named.operation());
          } catch (IllegalArgumentException e) {
            refused
                .computeIfAbsent(named.name(), _ -> new TreeMap<>())
                .computeIfAbsent(said(e), _ -> new LinkedHashSet<>())
                .add(types.toString());
          }
        });
    for (Operation operation : ShippedOperations.shipped()) {
      for (List<ElementType> types : SHIPPED_OVER) {
        if (!ListedOperations.orNone(() -> expand(operation, "o", inputs(types, USUAL)))
            .isEmpty()) {
          operations
              .computeIfAbsent(new Key(operation.toString(), types), _ -> new LinkedHashSet<>())
              .add(operation);
        }
      }
    }
    Map<String, Long> types =
        operations.keySet().stream()
            .collect(Collectors.groupingBy(Key::name, Collectors.counting()));
    Map<String, Key> sorted = new TreeMap<>();
    for (Key key : operations.keySet()) {
      if (key.isDrawn() || types.get(key.name()) <= MANY_TYPES) {
        sorted.put(key.toString(), key);
      }
    }
    for (Map.Entry<String, Key> key : sorted.entrySet()) {
      int variant = 0;
      for (Operation operation : operations.get(key.getValue())) {
        if (isDrawn(variant, key.getValue().types())) {
          operation(variant, key.getValue(), operation);
        }
        variant++;
      }
      end(key.getKey());
    }
    for (Map.Entry<String, Map<String, Set<String>>> of : refused.entrySet()) {
      for (Map.Entry<String, Set<String>> each : of.getValue().entrySet()) {
        line("%s: %s".formatted(each.getKey(), String.join(" ", each.getValue())));
      }
      end(of.getKey() + " refuses");
    }
  }

  private void heat() throws IOException {
    for (Map.Entry<String, Program> each : HeatPrograms.all().entrySet()) {
      new Variant(each.getKey(), each.getValue()).all(DEVICES);
      end(each.getKey());
    }
  }

  private static boolean isOfInts(List<ElementType> types) {
    return types.isEmpty() || types.getFirst() == ElementType.INT;
  }

  /** The first variants are drawn over all types, each of the others over ints and one more. */
  private static boolean isDrawn(int variant, List<ElementType> types) {
    return variant < CAPACITIES.size()
        || isOfInts(types)
        || types.getFirst().ordinal() == variant % ElementType.values().length;
  }

  /** The first variant is drawn at all capacities, the next ones at two, and others at one. */
  private static List<Integer> capacities(List<ElementType> types, int variant) {
    if (types.isEmpty() || types.size() > 2) {
      return List.of();
    }
    if (variant == 0) {
      return isOfInts(types) ? CAPACITIES : OF_OTHERS;
    }
    int first = variant % CAPACITIES.size();
    return variant < CAPACITIES.size()
        ? CAPACITIES.subList(variant / 2 * 2, variant / 2 * 2 + 2)
        : CAPACITIES.subList(first, first + 1);
  }

  private void operation(int number, Key key, Operation operation) throws IOException {
    List<ElementType> types = key.types();
    List<Device> devices = isProbed(operation) ? List.of(Device.EMULATOR) : DEVICES;
    String name = "variant " + number;
    Variant usual = variant(name, types, operation, USUAL);
    if (usual != null) {
      if (number == 0 || number < CAPACITIES.size() && isOfInts(types)) {
        usual.all(devices.subList(0, 1));
      } else {
        usual.form("to the end", usual.program.in(Setting.toTheEnd()));
        usual.on(devices.subList(0, 1));
      }
    }
    for (int capacity : capacities(types, number)) {
      Variant of = variant(name, types, operation, capacity);
      if (of != null) {
        of.on(capacity == LARGE ? devices : devices.subList(0, 1));
        if (capacity == LARGE) {
          of.checked(devices.getFirst());
        }
      }
    }
    if (!types.isEmpty() && number < CAPACITIES.size()) {
      found(name + ", found lengths", types, operation, devices.getFirst());
    }
  }

  private static List<Primitive> expand(Operation operation, String output, List<Input> inputs) {
    return operation.expand(output, inputs).primitives();
  }

  /** Inputs of different capacities, since each has its own meaning. */
  private static List<Input> inputs(List<ElementType> types, int capacity) {
    List<Input> inputs = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      int own = capacity - i * (capacity / 4);
      inputs.add(new Input("xyzw".substring(i, i + 1), types.get(i), own));
    }
    return inputs;
  }

  private @Nullable Variant variant(
      String name, List<ElementType> types, Operation operation, int capacity) throws IOException {
    List<Input> inputs = inputs(types, capacity);
    String where = name + ", capacity " + capacity;
    try {
      return new Variant(where, Program.of(inputs, expand(operation, "o", inputs)));
    } catch (IllegalArgumentException e) {
      line("%s: %s".formatted(where, said(e)));
      return null;
    }
  }

  /** The operation over arrays of which an earlier one finds the length. */
  private void found(String where, List<ElementType> types, Operation operation, Device device)
      throws IOException {
    List<Input> inputs = new ArrayList<>(List.of(new Input("k", ElementType.INT, 1)));
    List<Input> found = new ArrayList<>();
    for (ElementType type : types) {
      int at = found.size();
      inputs.add(new Input("a" + at, type, FOUND));
      found.add(new Input(at == 0 ? "f" : "f_" + at, type, FOUND));
    }
    try {
      List<Primitive> primitives = new ArrayList<>(expand(FirstOf.OPERATION, "f", inputs));
      primitives.addAll(expand(operation, "o", found));
      new Variant(where, Program.of(inputs, primitives)).on(List.of(device));
    } catch (IllegalArgumentException e) {
      line("%s: %s".formatted(where, said(e)));
    }
  }

  private static String said(Exception e) {
    return "{%s}: %s".formatted(e.getClass().getSimpleName(), e.getMessage());
  }

  /** Whether a probe decides whether a device can run it. */
  private static boolean isProbed(Operation operation) {
    return operation instanceof Histogram histogram
        && histogram.equals(histogram.by(HistogramMethod.PRIVATISED));
  }

  /** One program, in its forms. */
  private final class Variant {
    private final String where;
    private final Program program;
    private final Map<List<Object>, String> drawn = new HashMap<>();

    Variant(String where, Program program) {
      this.where = where;
      this.program = program;
    }

    /** All forms on some devices. */
    void all(List<Device> devices) throws IOException {
      form("as is", program);
      Program complete = program.in(Setting.toTheEnd());
      form("to the end", complete);
      on(devices);
      Program onToTheEnd = program.on(devices.getFirst(), Map.of()).in(Setting.toTheEnd());
      form("on the first to the end", onToTheEnd);
      form("cut", complete.in(Setting.within(100)));
      Map<String, TornadoNativeArray> bound = new HashMap<>();
      program.inputs().forEach(i -> bound.put(i.name(), ProgramFacts.small(i.type())));
      form("bound inputs", program.on(devices.getFirst(), bound), bound);
      inPlace(devices.getFirst(), bound);
    }

    void on(List<Device> devices) throws IOException {
      for (Device device : devices) {
        form("on " + device, program.on(device, Map.of()));
      }
    }

    /** The form in which a device's kernels are checked. */
    void checked(Device device) throws IOException {
      Program chosen = program.on(device, Map.of());
      int elements = chosen.layouts().stream().mapToInt(Layout::checkedElements).max().orElse(0);
      form("checked", chosen.in(Setting.within(elements)));
    }

    /** Each array that is written, in the memory of an input in which it may be. */
    private void inPlace(Device device, Map<String, TornadoNativeArray> inputs) throws IOException {
      for (Primitive.Slot array : program.arrays()) {
        for (String input : new TreeSet<>(program.inputsInPlace(array.name()))) {
          Map<String, TornadoNativeArray> bound = new HashMap<>(inputs);
          TornadoNativeArray place = bound.get(input);
          if (place != null && ProgramArrays.typeOf(place) == array.type()) {
            bound.put(array.name(), place);
            form(
                "%s in place of %s".formatted(array.name(), input),
                program.on(device, bound),
                bound);
          }
        }
      }
    }

    void form(String name, Program form) throws IOException {
      form(name, form, Map.of());
    }

    private void form(String name, Program form, Map<String, TornadoNativeArray> bound)
        throws IOException {
      String present = where + ", " + name;
      // a composite has no equals, but its parts say all that they are
      List<Object> key = List.of(form.inputs(), form.steps().toString(), bound);
      String before = drawn.get(key);
      String facts = "";
      if (before == null) {
        facts = ProgramFacts.of(form, "f", bound);
        before = written.putIfAbsent(facts, present);
        drawn.put(key, before == null ? present : before); // the first of the same text
      }
      line("form %s%s".formatted(present, before == null ? "" : ": as " + before));
      if (before == null) {
        add(facts);
      }
    }
  }

  private void line(String line) throws IOException {
    add(line + "\n");
  }

  private void add(String lines) throws IOException {
    text.append(lines);
    all.update(lines.getBytes(StandardCharsets.UTF_8));
    unnamed.update(withoutNames(lines).getBytes(StandardCharsets.UTF_8));
  }

  /** Without what is in braces. */
  static String withoutNames(String text) {
    StringBuilder left = new StringBuilder(text.length());
    int from = 0;
    for (int at = text.indexOf('{'); at >= 0; at = text.indexOf('{', from)) {
      left.append(text, from, at);
      from = text.indexOf('}', at) + 1;
    }
    return left.append(text, from, text.length()).toString();
  }

  /** Ends an operation: a line of the digest. */
  private void end(String name) throws IOException {
    digest.add("%s %s %s".formatted(hash(all), hash(unnamed), name));
    text.append("end of ").append(name).append("\n\n");
    written.clear();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String hash(MessageDigest of) {
    return HexFormat.of().formatHex(of.digest(), 0, 8);
  }
}
