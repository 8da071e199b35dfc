package funnel.ptx;

import funnel.ptx.Instruction.Kind;
import funnel.ptx.Instruction.Place;
import funnel.ptx.Instruction.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A kernel, read from the text of its module. */
final class PtxKernel {

  /** Special registers, the first of all. */
  static final List<String> SPECIAL =
      List.of(
          "%tid.x",
          "%tid.y",
          "%tid.z",
          "%ctaid.x",
          "%ctaid.y",
          "%ctaid.z",
          "%ntid.x",
          "%ntid.y",
          "%ntid.z",
          "%nctaid.x",
          "%nctaid.y",
          "%nctaid.z",
          "%laneid");

  private static final Pattern ENTRY =
      Pattern.compile("\\.entry\\s+([\\w$%]+)\\s*\\(([^)]*)\\)[^{]*\\{");
  private static final Pattern LABEL = Pattern.compile("\\s*([\\w$]+):");
  private static final Pattern REGISTERS = Pattern.compile("\\.reg\\s+\\.\\w+\\s+(.*)");
  private static final Pattern VARIABLE =
      Pattern.compile(
          "\\.(shared|local)\\s+(?:\\.align\\s+\\d+\\s+)?\\.(\\w+)\\s+([\\w$%]+)\\[(\\d+)]");
  private static final Pattern INSTRUCTION =
      Pattern.compile("(?:@(!?)([\\w$%]+)\\s+)?([\\w.]+)\\s*(.*)", Pattern.DOTALL);
  private static final Pattern ADDRESS =
      Pattern.compile("([\\w$%]*)\\[([\\w$%.-]+)(?:\\s*\\+\\s*(-?\\d+))?]");

  /** Parts of names that change nothing here: threads run one at a time, all is rounded exactly. */
  private static final Pattern MODIFIERS =
      Pattern.compile("\\.(rn|uni|approx|full|lo|sync|aligned|volatile|relaxed|gpu)(?=\\.|$)");

  /**
   * What is executed most often is not looked up, nor are conversions that change nothing of what a
   * register holds.
   */
  private static final Map<String, Kind> FREQUENT =
      Map.ofEntries(
          Map.entry("mov", Kind.MOVE),
          Map.entry("cvta", Kind.MOVE),
          Map.entry("cvt.s64.s32", Kind.MOVE),
          Map.entry("cvt.u64.s32", Kind.MOVE),
          Map.entry("cvt.s32.u32", Kind.MOVE),
          Map.entry("add.s32", Kind.ADD_INT),
          Map.entry("add.u32", Kind.ADD_INT),
          Map.entry("add.s64", Kind.ADD_LONG),
          Map.entry("add.u64", Kind.ADD_LONG),
          Map.entry("and.b32", Kind.AND),
          Map.entry("and.b64", Kind.AND),
          Map.entry("setp.lt.s32", Kind.LESS),
          Map.entry("setp.lt.s64", Kind.LESS),
          Map.entry("setp.eq.s32", Kind.EQUAL),
          Map.entry("setp.eq.s64", Kind.EQUAL),
          Map.entry("selp", Kind.SELECT));

  private record Variable(Space space, Type type, long offset, long bytes) {}

  private final Map<String, Integer> registers = new HashMap<>();
  private final Map<Integer, Long> constants = new HashMap<>();
  private final Map<String, Variable> variables = new HashMap<>();
  private final Map<Space, Integer> bytes = new EnumMap<>(Space.class);
  private final Map<String, Integer> labels = new HashMap<>();
  private final List<Instruction> instructions = new ArrayList<>();

  final String name;
  final Instruction[] code;

  private PtxKernel(String name, String parameters, String body) {
    this.name = name;
    SPECIAL.forEach(special -> registers.put(special, registers.size()));
    for (String parameter : parameters.isBlank() ? new String[0] : parameters.split(",")) {
      String[] words = parameter.trim().split("\\s+");
      Type type =
          Stream.of(words)
              .filter(w -> w.matches("\\.[usbf]\\d+"))
              .map(PtxKernel::type)
              .findFirst()
              .orElseThrow();
      declare(Space.PARAM, type, words[words.length - 1], 1);
    }
    List<String> statements = new ArrayList<>();
    for (String part : body.split(";")) {
      String rest = part;
      for (Matcher label = LABEL.matcher(rest); label.lookingAt(); label = LABEL.matcher(rest)) {
        labels.put(label.group(1), statements.size());
        rest = rest.substring(label.end());
      }
      if (!declared(rest.strip()) && !rest.isBlank()) {
        statements.add(rest.strip());
      }
    }
    for (String statement : statements) {
      try {
        instructions.add(decoded(statement));
      } catch (RuntimeException e) {
        throw new IllegalArgumentException(
            "%s in %s: %s".formatted(statement, name, e.getMessage()), e);
      }
    }
    instructions.add(new Decoding("ret", "", "").of(Kind.RETURN, -1, -1, -1, -1, null, null));
    this.code = instructions.toArray(Instruction[]::new);
  }

  /**
   * Reads a kernel.
   *
   * @throws IllegalArgumentException if there is an instruction that the interpreter does not know
   */
  static PtxKernel parse(String module, String name) {
    String text = module.replaceAll("//[^\n]*", "").replaceAll("(?m)^[ \\t]+[{}]\\s*$", "");
    text =
        text.replaceAll(
            "mov.b64\\s+\\{(\\S+), (\\S+)}, (\\S+);", "low.b32 $1, $3; high.b32 $2, $3;");
    text = text.replaceAll("mov.b64\\s+(\\S+), \\{(\\S+), (\\S+)};", "pack.b64 $1, $2, $3;");
    Matcher entry = ENTRY.matcher(text);
    while (entry.find()) {
      if (entry.group(1).equals(name)) {
        return new PtxKernel(
            name, entry.group(2), text.substring(entry.end(), text.indexOf("\n}", entry.end())));
      }
    }
    throw new IllegalArgumentException("no kernel " + name + " in the module");
  }

  /**
   * Whether blocks wait for others, as there is an atomic operation in a loop: such kernels rely on
   * the order in which a device begins blocks, and give up in any other.
   */
  boolean waits() {
    for (int last = 0; last < code.length; last++) {
      for (int i = code[last].kind() == Kind.BRANCH ? code[last].target() : last; i < last; i++) {
        if (code[i].kind() == Kind.ATOMIC) {
          return true;
        }
      }
    }
    return false;
  }

  /** Bytes that a block, a thread or a launch has of this space. */
  int bytes(Space space) {
    return bytes.getOrDefault(space, 0);
  }

  /** A thread's registers as it begins: garbage, but for constants. */
  long[] registers(SplittableRandom garbage) {
    long[] values = new long[registers.size()];
    Arrays.setAll(values, _ -> (int) garbage.nextLong());
    constants.forEach((register, value) -> values[register] = value);
    return values;
  }

  private static Type type(String name) {
    return Type.valueOf(name.replace(".", "").toUpperCase(Locale.ROOT));
  }

  private boolean declared(String statement) {
    if (statement.startsWith(".pragma")) {
      return true;
    }
    Matcher variable = VARIABLE.matcher(statement);
    if (variable.matches()) {
      Space space = Space.valueOf(variable.group(1).toUpperCase(Locale.ROOT));
      declare(
          space, type(variable.group(2)), variable.group(3), Integer.parseInt(variable.group(4)));
      return true;
    }
    Matcher declared = REGISTERS.matcher(statement);
    if (!declared.matches()) {
      return false;
    }
    for (String each : declared.group(1).split(",")) {
      String[] parts = each.strip().split("[<>]");
      if (parts.length == 1) {
        registers.putIfAbsent(parts[0], registers.size()); // the same name in several scopes
      }
      for (int i = 0; parts.length > 1 && i < Integer.parseInt(parts[1]); i++) {
        registers.put(parts[0] + i, registers.size());
      }
    }
    return true;
  }

  private void declare(Space space, Type type, String name, int count) {
    long offset = Math.ceilDiv(bytes(space), 16) * 16L;
    if (space == Space.PARAM) {
      offset = Math.ceilDiv(bytes(space), type.bytes) * (long) type.bytes;
    }
    variables.put(name, new Variable(space, type, offset, (long) count * type.bytes));
    bytes.put(space, Math.toIntExact(offset + (long) count * type.bytes));
  }

  /** The register of an operand; a constant gets one. */
  private int register(String operand) {
    Integer known = registers.get(operand);
    if (known != null) {
      return known;
    }
    long value;
    if (variables.containsKey(operand)) {
      value = variables.get(operand).offset();
    } else if (operand.matches("0[fF]\\p{XDigit}{8}")) {
      value = Integer.parseUnsignedInt(operand.substring(2), 16);
    } else if (operand.matches("0[dD]\\p{XDigit}{16}")) {
      value = Long.parseUnsignedLong(operand.substring(2), 16);
    } else if (operand.matches("0x\\p{XDigit}+")) {
      value = Long.parseUnsignedLong(operand.substring(2), 16);
    } else if (operand.matches("-?\\d+")) {
      value = operand.startsWith("-") ? Long.parseLong(operand) : Long.parseUnsignedLong(operand);
    } else {
      throw new IllegalArgumentException("unknown operand " + operand);
    }
    registers.put(operand, registers.size());
    constants.put(registers.get(operand), value);
    return registers.get(operand);
  }

  private Place place(String operand, Space space) {
    Matcher address = ADDRESS.matcher(operand);
    if (!address.matches()) {
      throw new IllegalArgumentException("unknown address " + operand);
    }
    long offset = address.group(3) == null ? 0 : Long.parseLong(address.group(3));
    long end = space == Space.GLOBAL ? Long.MAX_VALUE : bytes(space);
    if (address.group(1).isEmpty()) {
      return new Place(space, register(address.group(2)), 1, offset, 0, end);
    }
    Variable array = variables.get(address.group(1));
    int scale = array.type().bytes;
    long from = array.offset();
    return new Place(
        space,
        register(address.group(2)),
        scale,
        from + offset * scale,
        from,
        from + array.bytes());
  }

  private Instruction decoded(String statement) {
    Matcher parts = INSTRUCTION.matcher(statement);
    if (!parts.matches()) {
      throw Operations.unknown(statement);
    }
    String negated = parts.group(2) == null ? "" : parts.group(1);
    String guard = parts.group(2) == null ? "" : parts.group(2);
    String full = parts.group(3);
    String[] operands =
        parts.group(4).isBlank() ? new String[0] : parts.group(4).strip().split("\\s*,\\s*");
    return new Decoding(statement, negated, guard).decoded(full, operands);
  }

  /** One statement. */
  private final class Decoding {
    private final String text;
    private final int guard;
    private final boolean when;

    Decoding(String text, String negated, String guard) {
      this.text = text;
      this.guard = guard.isEmpty() ? -1 : register(guard);
      this.when = negated.isEmpty();
    }

    Instruction of(Kind kind, int to, int a, int b, int c, Object operation, Type type) {
      return new Instruction(text, kind, guard, when, to, a, b, c, operation, type, null, -1);
    }

    private Instruction at(Kind kind, int to, int a, Object operation, Type type, Place place) {
      return new Instruction(text, kind, guard, when, to, a, -1, -1, operation, type, place, -1);
    }

    Instruction decoded(String full, String[] operands) {
      String name = MODIFIERS.matcher(full).replaceAll("");
      String[] words = name.split("\\.");
      int last = name.lastIndexOf('.');
      String head = last < 0 ? name : name.substring(0, last);
      switch (words[0]) {
        case "ret", "exit" -> {
          return of(Kind.RETURN, -1, -1, -1, -1, null, null);
        }
        case "bra" -> {
          Integer target = labels.get(operands[0]);
          if (target == null) {
            throw new IllegalArgumentException("no label " + operands[0]);
          }
          return new Instruction(
              text, Kind.BRANCH, guard, when, -1, -1, -1, -1, null, null, null, target);
        }
        case "bar", "barrier" -> {
          if (operands.length != 1) {
            throw Operations.unknown(full);
          }
          return of(Kind.BARRIER, -1, register(operands[0]), -1, -1, null, null);
        }
        case "membar", "fence" -> {
          return of(Kind.NOTHING, -1, -1, -1, -1, null, null);
        }
        default -> {}
      }
      Type type = type(words[words.length - 1]);
      switch (words[0]) {
        case "ld" -> {
          return at(
              Kind.LOAD, register(operands[0]), -1, null, type, place(operands[1], space(words)));
        }
        case "st" -> {
          return at(
              Kind.STORE, -1, register(operands[1]), null, type, place(operands[0], space(words)));
        }
        case "atom" -> {
          Object combine = Operations.binary(words[2], type);
          return at(
              Kind.ATOMIC,
              register(operands[0]),
              register(operands[2]),
              combine,
              type,
              place(operands[1], space(words)));
        }
        default -> {}
      }
      if (words[0].equals("shfl")) {
        if (operands.length != 5
            || !operands[3].equals("31")
            || !operands[4].equalsIgnoreCase("0xFFFFFFFF")) {
          throw Operations.unknown(text);
        }
        return of(
            Kind.SHUFFLE,
            register(operands[0]),
            register(operands[1]),
            register(operands[2]),
            -1,
            words[1],
            type);
      }
      if (words[0].equals("bfi")) {
        return of(
            Kind.BINARY,
            register(operands[0]),
            register(operands[1]),
            register(operands[2]),
            -1,
            Operations.insert(type, Integer.parseInt(operands[3]), Integer.parseInt(operands[4])),
            type);
      }
      int[] of = Stream.of(operands).mapToInt(operand -> register(signed(operand, type))).toArray();
      Kind frequent = FREQUENT.getOrDefault(name, FREQUENT.get(words[0]));
      if (frequent != null) {
        of = Arrays.copyOf(of, 4);
        return of(frequent, of[0], of[1], of[2], of[3], null, type);
      }
      if (words[0].equals("cvt")) {
        Object conversion = Operations.conversion(words[1], type(words[words.length - 2]), type);
        return of(Kind.UNARY, of[0], of[1], -1, -1, conversion, type);
      }
      return switch (operands.length) {
        case 2 -> of(Kind.UNARY, of[0], of[1], -1, -1, Operations.unary(head, type), type);
        case 3 -> of(Kind.BINARY, of[0], of[1], of[2], -1, Operations.binary(head, type), type);
        case 4 ->
            of(Kind.TERNARY, of[0], of[1], of[2], of[3], Operations.ternary(head, type), type);
        default -> throw Operations.unknown(text);
      };
    }

    /** A constant of 32 bits as registers have it. */
    private String signed(String operand, Type type) {
      boolean isConstant = type.bytes == 4 && operand.matches("\\d{10}");
      return isConstant ? Integer.toString((int) Long.parseLong(operand)) : operand;
    }

    /** Addresses of no space are global ones here: nothing takes another variable's. */
    private Space space(String[] words) {
      return Stream.of(Space.values())
          .filter(each -> words[1].equalsIgnoreCase(each.name()))
          .findFirst()
          .orElse(Space.GLOBAL);
    }
  }
}
