package funnel.build;

import com.github.javaparser.JavaParser;
import com.github.javaparser.ParseResult;
import com.github.javaparser.ParserConfiguration;
import com.github.javaparser.ParserConfiguration.LanguageLevel;
import com.github.javaparser.ast.CompilationUnit;
import com.github.javaparser.ast.ImportDeclaration;
import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.body.CallableDeclaration;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.MethodDeclaration;
import com.github.javaparser.ast.body.TypeDeclaration;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.comments.Comment;
import com.github.javaparser.ast.expr.AnnotationExpr;
import com.github.javaparser.ast.expr.AssignExpr;
import com.github.javaparser.ast.expr.CastExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.LambdaExpr;
import com.github.javaparser.ast.expr.Name;
import com.github.javaparser.ast.expr.SimpleName;
import com.github.javaparser.ast.expr.StringLiteralExpr;
import com.github.javaparser.ast.nodeTypes.NodeWithSimpleName;
import com.github.javaparser.ast.nodeTypes.NodeWithType;
import com.github.javaparser.ast.nodeTypes.NodeWithVariables;
import com.github.javaparser.ast.stmt.ExpressionStmt;
import com.github.javaparser.ast.stmt.ReturnStmt;
import com.github.javaparser.ast.stmt.Statement;
import com.github.javaparser.ast.stmt.SwitchEntry;
import com.github.javaparser.ast.type.ArrayType;
import com.github.javaparser.ast.type.ClassOrInterfaceType;
import com.github.javaparser.ast.type.PrimitiveType;
import com.github.javaparser.ast.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes, at build time, the twins of master sources: the same class over other element types.
 *
 * <p>A master is ordinary Java over {@code int} with {@code @Twins} on it. Its name begins with
 * {@code IntToInt} (element type, accumulator type) or {@code Int} (element type only). Types that
 * stand for one of the two are marked {@code @Element} or {@code @Accumulator}, those that stand
 * for an element's value (int for bytes) {@code @Value}; every other {@code int} stays. In
 * {@code @Twins("FloatToDouble") class IntToIntTotals}, for example,
 *
 * <pre>{@code
 * static @Accumulator int total(@Element int[] values, int n)    // master IntToIntTotals
 * static double total(float[] values, int n)                     // twin FloatToDoubleTotals
 * }</pre>
 *
 * <p>What a twin changes:
 *
 * <ul>
 *   <li>marked types: {@code int} and {@code Integer}, in arrays too; of other types the first
 *       {@code Int} of the name, also after {@code Indexed}, or a last {@code OfInt} ({@code
 *       IntArray}, {@code ValueLayout.@Element OfInt});
 *   <li>what flows into a marked type (initialiser, assignment by name, operand of a cast, returned
 *       value): {@code allocateIntLocalArray}, {@code JAVA_INT}, {@code JAVA_INT_UNALIGNED};
 *   <li>the constant {@code INT} in the initialiser of fields named {@code ELEMENT} and {@code
 *       ACCUMULATOR};
 *   <li>names of masters, its own among them, in code and comments (not in strings): {@code
 *       IntToIntX} becomes {@code FloatToDoubleX}. One-type masters {@code IntX} are renamed in
 *       one-type masters; in a two-type master only where marked. {@code funnel.Ints}, in full,
 *       stays;
 *   <li>imports of what was renamed. The marks and their imports go;
 *   <li>methods marked {@code @Only}, which only the twins have that it names.
 * </ul>
 *
 * <p>All else stays where it is: line n of a twin is line n of its master.
 *
 * <p>Literals stay; {@code (@Element int) 0} is how a master writes one of the element type. {@code
 * Integer.MAX_VALUE} and {@code MIN_VALUE} flowing into a marked type are refused, since no other
 * type means the same by them.
 *
 * <p>Of masters with {@code @Overloads} it writes what {@link OverloadText} says.
 *
 * <p>Usage: {@code TwinWriter <folder of masters> ... <folder of twins> [--named=<folder of masters
 * that these may name>]}. Files are touched only if their text changes; twins whose master is gone
 * are deleted. Where a master is wrong, each fault is printed as {@code file:line: message},
 * nothing is written and the exit status is 1.
 */
public final class TwinWriter {

  /** The types that a twin can carry. */
  enum Kind {
    BYTE("Byte"),
    INT("Int"),
    LONG("Long"),
    FLOAT("Float"),
    DOUBLE("Double");

    final String prefix;

    Kind(String prefix) {
      this.prefix = prefix;
    }

    String boxed() {
      return this == INT ? "Integer" : prefix;
    }

    String word() {
      return primitive().asString();
    }

    PrimitiveType.Primitive primitive() {
      return PrimitiveType.Primitive.valueOf(name());
    }
  }

  /** A master, parsed, with element and accumulator type of each of its twins by prefix. */
  private record Master(
      Path file, Path path, CompilationUnit unit, String name, Map<String, Kind[]> twins) {
    boolean hasTwoTypes() {
      return isTwoTyped(name);
    }
  }

  private static final Pattern MASTER_NAME = Pattern.compile("Ints|Int(ToInt)?+\\p{Upper}\\w*");
  private static final Pattern NAME_IN_COMMENT = Pattern.compile("(?<!funnel\\.)\\bInt\\w+");
  private static final Set<String> MARKS =
      Set.of("Element", "Value", "Accumulator", "Twins", "Overloads", "Only");
  private static final Pattern MARK =
      Pattern.compile("@[\\w.]*\\b(Twins|Overloads|Only|Element|Value|Accumulator)\\b");
  private static final String NAMED = "--named=";
  private static final String HEADER = "/* Written from ";

  private final Map<String, Master> masters = new TreeMap<>();

  /** What is written, by its path in the folder for it. */
  private final Map<Path, String> texts = new TreeMap<>();

  private final Set<String> faults = new LinkedHashSet<>();

  private TwinWriter() {}

  /**
   * Writes the twins.
   *
   * @param args the folders of the masters and the folder for what is written; then that of masters
   *     whose twins are written elsewhere
   * @throws IOException if a file cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    List<Path> named =
        Stream.of(args)
            .filter(each -> each.startsWith(NAMED))
            .map(each -> Path.of(each.substring(NAMED.length())))
            .toList();
    List<Path> folders =
        Stream.of(args).filter(each -> !each.startsWith(NAMED)).map(Path::of).toList();
    List<Path> masters = folders.subList(0, Math.max(0, folders.size() - 1));
    if (masters.isEmpty() || !masters.stream().allMatch(Files::isDirectory)) {
      System.err.println(
          "usage: TwinWriter <folders of masters, existing> <folder of twins> [--named=<folder>]");
      System.exit(2);
    }
    System.exit(new TwinWriter().run(masters, named, folders.getLast()));
  }

  private int run(List<Path> folders, List<Path> named, Path out) throws IOException {
    List<Path> others = named.stream().filter(each -> !folders.contains(each)).toList();
    for (Path in : Stream.concat(folders.stream(), others.stream()).toList()) {
      for (Path file : javaFiles(in)) {
        String text = Files.readString(file);
        if (MARK.matcher(text).find()) {
          read(file, in.relativize(file), text);
        }
      }
    }
    for (Master master : masters.values()) {
      if (others.stream().anyMatch(master.file()::startsWith)) {
        continue;
      }
      for (Map.Entry<String, Kind[]> twin : master.twins().entrySet()) {
        Path twinFile =
            master.path().resolveSibling(twinName(master.name(), twin.getKey()) + ".java");
        if (Files.exists(master.file().resolveSibling(twinFile.getFileName()))) {
          fault(master, master.unit().getType(0), "twin " + twinFile + " exists as a source");
        }
        texts.put(twinFile, new Twin(master, twin.getKey(), twin.getValue()).text());
      }
    }
    if (!faults.isEmpty()) {
      faults.forEach(System.err::println);
      return 1;
    }
    write(out, texts);
    return 0;
  }

  private static List<Path> javaFiles(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(f -> f.toString().endsWith(".java")).sorted().toList();
    }
  }

  private static void write(Path out, Map<Path, String> texts) throws IOException {
    int written = 0;
    for (Map.Entry<Path, String> twin : texts.entrySet()) {
      Path file = out.resolve(twin.getKey());
      if (!Files.exists(file) || !Files.readString(file).equals(twin.getValue())) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, twin.getValue());
        written++;
      }
    }
    int deleted = 0;
    for (Path file : javaFiles(out)) {
      if (!texts.containsKey(out.relativize(file)) && Files.readString(file).startsWith(HEADER)) {
        Files.delete(file);
        deleted++;
      }
    }
    System.out.printf("twins=%d, written=%d, deleted=%d%n", texts.size(), written, deleted);
  }

  private static String header(String master) {
    return HEADER + master + ".java at build time; do not edit. */ ";
  }

  private void fault(Path file, int line, String message) {
    faults.add(file + ":" + line + ": " + message);
  }

  private void fault(Master master, Node at, String message) {
    fault(master.file(), line(at), message);
  }

  private static int line(Node node) {
    return node.getBegin().map(p -> p.line).orElse(1);
  }

  // Reading masters.

  private void read(Path file, Path path, String text) {
    ParserConfiguration language =
        new ParserConfiguration().setLanguageLevel(LanguageLevel.JAVA_25);
    ParseResult<CompilationUnit> parsed = new JavaParser(language).parse(text);
    if (!parsed.isSuccessful()) {
      parsed
          .getProblems()
          .forEach(
              p -> {
                int at = p.getLocation().flatMap(l -> l.toRange()).map(r -> r.begin.line).orElse(1);
                fault(file, at, p.getMessage());
              });
      return;
    }
    CompilationUnit unit = parsed.getResult().orElseThrow();
    List<AnnotationExpr> marks =
        unit.findAll(AnnotationExpr.class, a -> MARKS.contains(a.getName().getIdentifier()));
    if (marks.isEmpty()) {
      return;
    }
    TypeDeclaration<?> type = unit.getType(0);
    String name = type.getNameAsString();
    AnnotationExpr overloads = type.getAnnotationByName("Overloads").orElse(null);
    AnnotationExpr twins = type.getAnnotationByName("Twins").orElse(overloads);
    if (twins == null || unit.getTypes().size() > 1 || !file.endsWith(name + ".java")) {
      String rule =
          "a master is the only top-level class of its file and has @Twins or" + " @Overloads";
      fault(file, line(marks.get(0)), "@" + marks.get(0).getName() + " outside a master: " + rule);
      return;
    }
    if (overloads != null) {
      String written =
          new OverloadText(unit, text, (at, what) -> fault(file, line(at), what)).text();
      texts.put(path, header(name) + written);
      return;
    }
    if (!MASTER_NAME.matcher(name).matches()) {
      fault(
          file,
          line(type.getName()),
          "master " + name + " must be named IntToInt..., Int... or Ints");
      return;
    }
    if (marks.stream().noneMatch(a -> a.getName().getIdentifier().equals("Element"))) {
      fault(file, line(type.getName()), "master " + name + " has no type marked @Element");
    }
    List<StringLiteralExpr> prefixes = twins.findAll(StringLiteralExpr.class);
    if (prefixes.isEmpty()) {
      fault(file, line(twins), "@Twins names no prefix");
    }
    Map<String, Kind[]> kinds = new TreeMap<>();
    for (StringLiteralExpr prefix : prefixes) {
      Kind[] pair = kinds(prefix.asString(), isTwoTyped(name));
      if (pair.length == 0 || twinName(name, prefix.asString()).equals(name)) {
        String rule = isTwoTyped(name) ? "XToA other than IntToInt" : "X other than Int";
        rule += ", of Byte, Int, Long, Float, Double";
        fault(file, line(prefix), "unknown prefix " + prefix + ": " + name + " takes " + rule);
      } else {
        kinds.put(prefix.asString(), pair);
      }
    }
    Master other = masters.put(name, new Master(file, path, unit, name, kinds));
    if (other != null) {
      fault(file, line(type.getName()), "master " + name + " is also in " + other.file());
    }
  }

  private static boolean isTwoTyped(String masterName) {
    return masterName.startsWith("IntToInt");
  }

  /** Element and accumulator type of a twin's prefix; empty if it is none. */
  private static Kind[] kinds(String prefix, boolean twoTypes) {
    for (Kind element : Kind.values()) {
      if (!twoTypes && prefix.equals(element.prefix)) {
        return new Kind[] {element, element};
      }
      for (Kind accumulator : Kind.values()) {
        if (twoTypes && prefix.equals(element.prefix + "To" + accumulator.prefix)) {
          return new Kind[] {element, accumulator};
        }
      }
    }
    return new Kind[0];
  }

  private static String twinName(String masterName, String prefix) {
    return prefix + masterName.substring(isTwoTyped(masterName) ? 8 : 3);
  }

  /** One twin being written. */
  private final class Twin {
    final Master master;
    final String prefix;
    final Kind element;
    final Kind accumulator;
    final CompilationUnit unit;

    /** Kinds of the marked variables and parameters, by their declaring nodes. */
    final Map<Node, Kind> marked = new IdentityHashMap<>();

    final TwinText text = new TwinText();

    /** New simple names by the old, for the imports. */
    final Map<String, Set<String>> renamed = new TreeMap<>();

    Twin(Master master, String prefix, Kind[] kinds) {
      this.master = master;
      this.prefix = prefix;
      this.element = kinds[0];
      this.accumulator = kinds[1];
      this.unit = master.unit().clone();
    }

    String text() {
      unit.findAll(MethodDeclaration.class).forEach(this::leaveOut);
      for (AnnotationExpr mark : unit.findAll(AnnotationExpr.class)) {
        switch (mark.getName().getIdentifier()) {
          case "Element" -> apply(mark, element);
          case "Value" -> apply(mark, element == Kind.BYTE ? Kind.INT : element);
          case "Accumulator" -> apply(mark, accumulator);
          default -> {}
        }
      }
      unit.findAll(AssignExpr.class).forEach(this::retypeAssigned);
      setConstant("ELEMENT", element);
      setConstant("ACCUMULATOR", accumulator);
      renameMasters();
      unit.findAll(SimpleName.class).forEach(n -> text.replaceLast(n, n.getIdentifier()));
      unit.findAll(Name.class).forEach(n -> text.replaceLast(n, n.getIdentifier()));
      unit.findAll(PrimitiveType.class).forEach(t -> text.replaceLast(t, t.asString()));
      unit.getAllComments().forEach(c -> text.replaceLast(c, c.asString()));
      suppressCastWarnings();
      rewriteImports();
      return header(master.name()) + text.of(unit);
    }

    /** Leaves out a method that is for other twins only. */
    void leaveOut(MethodDeclaration method) {
      AnnotationExpr only = method.getAnnotationByName("Only").orElse(null);
      if (only == null) {
        return;
      }
      List<String> prefixes =
          only.findAll(StringLiteralExpr.class).stream().map(StringLiteralExpr::asString).toList();
      if (!master.twins().keySet().containsAll(prefixes)) {
        fault(master, only, only + " names a twin that " + master.name() + " has not");
      }
      if (prefixes.contains(prefix)) {
        text.remove(only);
        only.remove();
        return;
      }
      method
          .getComment()
          .ifPresent(
              comment -> {
                long lines = comment.asString().lines().count();
                text.replace(comment, "\n".repeat((int) lines - 1));
              });
      text.remove(method);
      method.remove();
    }

    // Marked types, and the expressions that flow into them.

    void apply(AnnotationExpr mark, Kind kind) {
      if (!master.hasTwoTypes() && mark.getName().getIdentifier().equals("Accumulator")) {
        fault(master, mark, "@Accumulator in a master of one type; name it IntToInt... or unmark");
      }
      Node owner = mark.getParentNode().orElseThrow();
      mark.remove();
      text.remove(mark);
      if (owner instanceof NodeWithVariables<?> declaration) {
        for (VariableDeclarator variable : declaration.getVariables()) {
          retype(mark, variable.getType().getElementType(), kind);
          retypeFlow(variable, kind);
        }
      } else if (owner instanceof NodeWithType<?, ?> declaration) {
        retype(mark, declaration.getType().getElementType(), kind);
        retypeFlow(owner, kind);
      } else if (owner instanceof Type type && !type.isArrayType()) {
        retype(mark, type, kind);
        Node user = type.getParentNode().orElseThrow();
        while (user instanceof ArrayType) {
          user = user.getParentNode().orElseThrow();
        }
        retypeFlow(user, kind);
      } else {
        fault(master, mark, mark + " marks no type here");
      }
    }

    void retype(AnnotationExpr mark, Type type, Kind kind) {
      if (type instanceof PrimitiveType p && p.getType() == PrimitiveType.Primitive.INT) {
        p.setType(kind.primitive());
        return;
      }
      if (type instanceof ClassOrInterfaceType named) {
        String name = named.getNameAsString();
        Master other = masters.get(name);
        if (name.equals("Integer")) {
          named.getName().setIdentifier(kind.boxed());
          return;
        } else if (other != null && !other.hasTwoTypes()) {
          named.getName().setIdentifier(nameFor(other, mark, kind.prefix));
          return;
        } else if (other == null && name.matches("(Indexed)?Int(\\p{Upper}.*)?|OfInt")) {
          String twin = name.replaceFirst("Int", kind.prefix);
          named.getName().setIdentifier(twin);
          recordRename(name, twin);
          return;
        }
      }
      fault(
          master,
          mark,
          mark + " marks " + type + ", not int, Integer, Int..., IndexedInt... or ...OfInt");
    }

    /** Retypes what is stored to a variable, cast to a type or returned from a method. */
    void retypeFlow(Node target, Kind kind) {
      marked.put(target, kind);
      if (target instanceof VariableDeclarator variable) {
        variable.getInitializer().ifPresent(e -> retypeValue(e, kind));
      } else if (target instanceof CastExpr cast) {
        retypeValue(cast.getExpression(), kind);
      } else if (target instanceof MethodDeclaration method) {
        for (ReturnStmt statement : method.findAll(ReturnStmt.class)) {
          Node from = statement;
          while (!(from instanceof LambdaExpr || from instanceof CallableDeclaration)) {
            from = from.getParentNode().orElseThrow();
          }
          if (from == method) {
            statement.getExpression().ifPresent(e -> retypeValue(e, kind));
          }
        }
      }
    }

    void retypeValue(Node value, Kind kind) {
      if (value instanceof LambdaExpr || value instanceof BodyDeclaration) {
        return;
      }
      if (value instanceof CastExpr cast
          && (marked.containsKey(cast)
              || cast.getType().getElementType().getAnnotations().isNonEmpty())) {
        return; // has a mark of its own
      }
      if (value instanceof SimpleName name) {
        switch (name.asString()) {
          case "allocateIntLocalArray" ->
              name.setIdentifier("allocate" + kind.prefix + "LocalArray");
          case "JAVA_INT" -> name.setIdentifier("JAVA_" + kind);
          case "JAVA_INT_UNALIGNED" ->
              name.setIdentifier("JAVA_" + kind + (kind == Kind.BYTE ? "" : "_UNALIGNED"));
          case "MAX_VALUE", "MIN_VALUE" -> {
            if (name.getParentNode().orElseThrow().toString().startsWith("Integer.")) {
              fault(master, name, "Integer." + name + " as a marked value is right for int only");
            }
          }
          default -> {}
        }
      }
      List.copyOf(value.getChildNodes()).forEach(child -> retypeValue(child, kind));
    }

    void retypeAssigned(AssignExpr assign) {
      Expression target = assign.getTarget();
      Node declaration = null;
      if (target.isNameExpr()) {
        declaration = declaration(target.asNameExpr().getNameAsString(), assign, false);
      } else if (target.isFieldAccessExpr() && target.asFieldAccessExpr().getScope().isThisExpr()) {
        declaration = declaration(target.asFieldAccessExpr().getNameAsString(), assign, true);
      }
      Kind kind = marked.get(declaration);
      if (kind != null) {
        retypeValue(assign.getValue(), kind);
      }
    }

    /** The innermost declaration in sight of a variable, parameter or field, or of a field only. */
    Node declaration(String name, Node at, boolean field) {
      Node found = null;
      Node innermost = unit;
      for (Node node : unit.findAll(Node.class)) {
        if (node instanceof NodeWithType<?, ?>
            && node instanceof NodeWithSimpleName<?> named
            && named.getNameAsString().equals(name)
            && !(node instanceof MethodDeclaration)) {
          Node scope = node;
          do {
            scope = scope.getParentNode().orElseThrow();
          } while (!isScope(scope));
          if (innermost.isAncestorOf(scope)
              && scope.isAncestorOf(at)
              && (scope instanceof TypeDeclaration || !field)) {
            found = node;
            innermost = scope;
          }
        }
      }
      return found;
    }

    boolean isScope(Node node) {
      return node instanceof SwitchEntry
          || node instanceof LambdaExpr
          || node instanceof BodyDeclaration && !(node instanceof FieldDeclaration)
          || node instanceof Statement && !(node instanceof ExpressionStmt);
    }

    /** Lint lets a marked cast pass that changes nothing, but not the same cast without mark. */
    void suppressCastWarnings() {
      TypeDeclaration<?> type = unit.getType(0);
      Set<String> warnings = new LinkedHashSet<>();
      type.getAnnotationByName("SuppressWarnings")
          .ifPresent(
              old -> {
                old.findAll(StringLiteralExpr.class).forEach(w -> warnings.add(w.toString()));
                text.remove(old);
              });
      warnings.add("\"cast\"");
      text.replace(
          type.getAnnotationByName("Twins").orElseThrow(),
          "@SuppressWarnings({" + String.join(", ", warnings) + "})");
    }

    // Constants, names of masters, imports.

    void setConstant(String field, Kind kind) {
      for (VariableDeclarator variable : unit.findAll(VariableDeclarator.class)) {
        if (variable.getParentNode().orElseThrow() instanceof FieldDeclaration
            && variable.getNameAsString().equals(field)) {
          variable
              .findFirst(SimpleName.class, name -> name.asString().equals("INT"))
              .ifPresentOrElse(
                  name -> name.setIdentifier(kind.name()),
                  () -> fault(master, variable, field + " must be set to ElementType.INT"));
        }
      }
    }

    void renameMasters() {
      for (SimpleName name : unit.findAll(SimpleName.class)) {
        Master other = isQualified(name) ? null : masterInSight(name.asString());
        if (other != null) {
          name.setIdentifier(nameFor(other, name, prefix));
        }
      }
      for (Name name : unit.findAll(Name.class)) {
        Node parent = name.getParentNode().orElseThrow();
        boolean imported =
            parent instanceof ImportDeclaration i && !i.isStatic() && !i.isAsterisk();
        Master other = masterInSight(name.getIdentifier());
        if (other != null && !imported) {
          name.setIdentifier(nameFor(other, name, prefix));
        }
      }
      for (Comment comment : unit.getAllComments()) {
        Matcher names = NAME_IN_COMMENT.matcher(comment.getContent());
        comment.setContent(
            names.replaceAll(
                found -> {
                  boolean isWord = found.group().equals("Ints") && !master.name().equals("Ints");
                  Master other = isWord ? null : masterInSight(found.group());
                  return other == null ? found.group() : nameFor(other, comment, prefix);
                }));
      }
    }

    /** Whether it is the last part of a type's full name, which stays: {@code funnel.Ints}. */
    boolean isQualified(SimpleName name) {
      return name.getParentNode().orElseThrow() instanceof ClassOrInterfaceType type
          && type.getScope().isPresent()
          && type.getScope().orElseThrow().toString().equals("funnel");
    }

    /** The master of this name if it is renamed here without a mark, else null. */
    Master masterInSight(String name) {
      Master other = masters.get(name);
      return other == null || master.hasTwoTypes() && !other.hasTwoTypes() ? null : other;
    }

    /** The name of another master's twin; a prefix X of a one-type master stands for XToX too. */
    String nameFor(Master other, Node at, String prefix) {
      String full = other.hasTwoTypes() && !master.hasTwoTypes() ? prefix + "To" + prefix : prefix;
      String twin = twinName(other.name(), full);
      if (!twin.equals(other.name()) && !other.twins().containsKey(full)) {
        fault(master, at, "twin " + this.prefix + " needs " + twin + "; add it to " + other.name());
      }
      recordRename(other.name(), twin);
      return twin;
    }

    void recordRename(String from, String to) {
      renamed.computeIfAbsent(from, name -> new TreeSet<>()).add(to);
    }

    void rewriteImports() {
      Set<String> written = new TreeSet<>();
      for (ImportDeclaration declaration : unit.getImports()) {
        String simpleName = declaration.getName().getIdentifier();
        String scope = declaration.getName().getQualifier().map(Name::asString).orElse("");
        boolean single = !declaration.isStatic() && !declaration.isAsterisk();
        if (single && scope.equals("funnel.jit") && MARKS.contains(simpleName)) {
          text.remove(declaration);
          continue;
        }
        Set<String> names = new TreeSet<>(Set.of(simpleName));
        if (single && renamed.containsKey(simpleName)) {
          names.addAll(renamed.get(simpleName));
          names.removeIf(name -> !isUsed(name));
        }
        StringBuilder line = new StringBuilder();
        for (String name : names) {
          String full = scope.isEmpty() ? name : scope + "." + name;
          String one = declaration.clone().setName(full).toString().strip();
          if (written.add(one)) {
            line.append(line.isEmpty() ? "" : " ").append(one);
          }
        }
        text.replace(declaration, line.toString());
      }
    }

    boolean isUsed(String name) {
      Pattern word = Pattern.compile("\\b" + name + "\\b");
      return unit.findFirst(SimpleName.class, n -> n.asString().equals(name)).isPresent()
          || unit.getAllComments().stream().anyMatch(c -> word.matcher(c.getContent()).find());
    }
  }
}
