package funnel.build;

import com.github.javaparser.ast.CompilationUnit;
import com.github.javaparser.ast.ImportDeclaration;
import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.body.TypeDeclaration;
import com.github.javaparser.ast.expr.AnnotationExpr;
import com.github.javaparser.ast.expr.StringLiteralExpr;
import funnel.build.TwinWriter.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The text of a class with overloads for other types.
 *
 * <p>Its master has {@code @Overloads({"Long", "Float"})} on it, and has the written class's name;
 * so it stands where it is not compiled. Each member with a type marked {@code @Element} is
 * repeated for each of these types, or for those of an {@code @Overloads} of its own, after the
 * master's last member. The first primitive type that is marked in a member, else {@code int}, is
 * what the member is written for. A repeated member has another type instead
 *
 * <ul>
 *   <li>in marked types;
 *   <li>in names: {@code Int} before anything but a small letter, {@code Integer} and {@code INT}
 *       ({@code IndexedIntMap}, {@code applyAsInt}, {@code Integer.BYTES}, {@code
 *       ElementType.INT});
 *   <li>in words: {@code an int}, {@code ints}.
 * </ul>
 *
 * <p>Imports of names that change are there for each type that needs them. The marks go. All lines
 * of the master but its last stay where they are; the repeated members' lines are those of the
 * written file, which has the master's name.
 */
final class OverloadText {

  private static final Pattern MARKED = Pattern.compile("@Element\\s+(byte|int|long|float|double)");

  private final CompilationUnit unit;
  private final TypeDeclaration<?> type;
  private final List<String> lines;
  private final BiConsumer<Node, String> faults;

  /** Imports that repeated members need, by the line of the master's import. */
  private final Map<Integer, Set<String>> imports = new TreeMap<>();

  OverloadText(CompilationUnit unit, String text, BiConsumer<Node, String> faults) {
    this.unit = unit;
    this.type = unit.getType(0);
    this.lines = text.lines().collect(Collectors.toCollection(ArrayList::new));
    this.faults = faults;
  }

  /** Reports what is wrong, and else has overloads for each member's types. */
  String text() {
    unit.findAll(AnnotationExpr.class).forEach(this::check);
    List<String> overloads = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (BodyDeclaration<?> member : type.getMembers()) {
        if (isMarked(member) && prefixes(member).contains(kind.prefix)) {
          overloads.add("");
          overloads.add(overload(member, kind));
        }
      }
    }
    imports.forEach((line, more) -> lines.set(line, lines.get(line) + String.join("", more)));
    lines.addAll(line(type, false) - 1, overloads);
    return String.join("\n", lines)
            .replaceAll("import funnel\\.jit\\.(Element|Overloads);|@Overloads\\([^)]*\\)", "")
            .replaceAll("@Element *", "")
        + "\n";
  }

  private void check(AnnotationExpr mark) {
    String name = mark.getName().getIdentifier();
    boolean isInMember =
        type.getMembers().stream().anyMatch(m -> m.isAncestorOf(mark) && isMarked(m));
    switch (name) {
      case "Element" -> {
        if (!isInMember) {
          faults.accept(mark, "@Element outside a member of " + type.getName());
        }
      }
      case "Overloads" -> {
        if (mark.getParentNode().orElseThrow() != type && !isInMember) {
          faults.accept(mark, "@Overloads on a member without @Element");
        }
        for (StringLiteralExpr prefix : mark.findAll(StringLiteralExpr.class)) {
          if (Stream.of(Kind.values()).noneMatch(k -> k.prefix.equals(prefix.asString()))) {
            faults.accept(prefix, prefix + " is none of Byte, Int, Long, Float, Double");
          }
        }
      }
      case "Twins", "Value", "Accumulator" ->
          faults.accept(mark, "@" + name + " in a master with @Overloads");
      default -> {}
    }
  }

  private static boolean isMarked(BodyDeclaration<?> member) {
    return member
        .findFirst(AnnotationExpr.class, a -> a.getNameAsString().equals("Element"))
        .isPresent();
  }

  private Set<String> prefixes(BodyDeclaration<?> member) {
    return member
        .getAnnotationByName("Overloads")
        .or(() -> type.getAnnotationByName("Overloads"))
        .orElseThrow()
        .findAll(StringLiteralExpr.class)
        .stream()
        .map(StringLiteralExpr::asString)
        .collect(Collectors.toSet());
  }

  private static int line(Node node, boolean first) {
    return (first ? node.getBegin() : node.getEnd()).orElseThrow().line;
  }

  /** The member's lines, its comment included, with another type. */
  private String overload(BodyDeclaration<?> member, Kind to) {
    int first = line(member.getComment().map(Node.class::cast).orElse(member), true);
    String text = String.join("\n", lines.subList(first - 1, line(member, false)));
    Matcher marked = MARKED.matcher(text);
    Kind from = marked.find() ? Kind.valueOf(marked.group(1).toUpperCase(Locale.ROOT)) : Kind.INT;
    if (from == to) {
      faults.accept(member, "overload for " + to.prefix + ", which the member is written for");
    }
    String written =
        renamed(text.replaceAll("@Element\\s+" + from.word() + "\\b", to.word()), from, to);
    for (ImportDeclaration known : unit.getImports()) {
      String name = renamed(known.getNameAsString(), from, to);
      String simple = name.substring(name.lastIndexOf('.') + 1);
      if (!name.equals(known.getNameAsString())
          && Pattern.compile("\\b" + simple + "\\b").matcher(written).find()) {
        String more = " " + known.clone().setName(name).toString().strip();
        imports.computeIfAbsent(line(known, true) - 1, line -> new TreeSet<>()).add(more);
      }
    }
    return written;
  }

  private static String renamed(String text, Kind from, Kind to) {
    return text.replaceAll(from.boxed() + "\\b", to.boxed())
        .replaceAll(from.prefix + "(?![a-z])", to.prefix)
        .replaceAll("\\b" + from + "\\b", to.name())
        .replaceAll("\\ban? " + from.word() + "\\b", (to == Kind.INT ? "an " : "a ") + to.word())
        .replaceAll("\\b" + from.word() + "s\\b", to.word() + "s");
  }
}
