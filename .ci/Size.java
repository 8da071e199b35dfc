import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import javax.lang.model.element.Modifier;
import javax.tools.ToolProvider;

/* Counts source files, which need not be compiled; twins that the build writes count as their masters. */

static final Set<String> FAMILIES =
    Set.of("reduce", "scan", "select", "sort", "rank", "histogram", "group", "transform", "heat");
static final Set<String> TOOLS = Set.of("cli", "bench", "suite", "lessons");
static final int LONG_METHOD = 120;

/** A file of the library or the tools; without its tree if it is a template. */
record Source(Path path, long lines, CompilationUnitTree tree) {
  /** The package below funnel. */
  String room() {
    String folder = path.getParent().toString().replaceFirst(".*/(java|templates)/funnel/?", "");
    return folder.isEmpty() ? "(root)" : folder.replace('/', '.');
  }

  String name() {
    return path.getFileName().toString().replaceFirst("\\..*", "");
  }

  boolean isTool() {
    return TOOLS.contains(room());
  }

  boolean isOf(String type) {
    return tree != null
        && tree.getTypeDecls().stream()
            .anyMatch(
                each ->
                    each instanceof ClassTree it
                        && it.getImplementsClause().stream()
                            .anyMatch(one -> one.toString().equals(type)));
  }

  boolean isPublic() {
    return tree != null
        && tree.getTypeDecls().stream()
            .anyMatch(
                each ->
                    each instanceof ClassTree it
                        && it.getModifiers().getFlags().contains(Modifier.PUBLIC));
  }

  String role() {
    return isOf("Operation")
        ? "operations"
        : isOf("Primitive")
            ? "steps"
            : name().endsWith("Kernels")
                ? "kernels"
                : name().endsWith("Loops") ? "JVM loops" : "the rest";
  }

  /** The names that stand in the code, comments and imports excluded. */
  Set<String> uses() {
    Set<String> names = new HashSet<>();
    if (tree == null) {
      Pattern.compile("\\w+")
          .matcher(read(path))
          .results()
          .forEach(word -> names.add(word.group()));
    } else {
      new TreeScanner<Void, Void>() {
        @Override
        public Void visitIdentifier(IdentifierTree it, Void none) {
          names.add(it.getName().toString());
          return null;
        }

        @Override
        public Void visitImport(ImportTree it, Void none) {
          return null;
        }
      }.scan(tree, null);
    }
    return names;
  }

  List<MethodTree> methods() {
    List<MethodTree> methods = new ArrayList<>();
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitMethod(MethodTree it, Void none) {
        methods.add(it);
        return super.visitMethod(it, null);
      }
    }.scan(tree, null);
    return methods;
  }
}

static String read(Path path) {
  try {
    return Files.readString(path);
  } catch (IOException e) {
    throw new UncheckedIOException(e);
  }
}

static List<Path> files(String... folders) throws IOException {
  List<Path> files = new ArrayList<>();
  for (String folder : folders) {
    if (Files.exists(Path.of(folder))) {
      try (Stream<Path> all = Files.walk(Path.of(folder))) {
        all.filter(file -> file.toString().matches(".*\\.(java|ftl|cu|cuh)")).forEach(files::add);
      }
    }
  }
  return files;
}

static void row(String what, long files, long lines) {
  IO.println("| %s | %s | %s |".formatted(what, files, lines));
}

static void row(String what, List<Source> sources) {
  row(what, sources.size(), sources.stream().mapToLong(Source::lines).sum());
}

static void rows(List<Source> sources, Function<Source, String> by) {
  new TreeMap<>(sources.stream().collect(Collectors.groupingBy(by)))
      .forEach((name, of) -> row(name, of));
}

static void others(String what, String... folders) throws IOException {
  List<Path> files = files(folders);
  row(what, files.size(), files.stream().mapToLong(file -> read(file).lines().count()).sum());
}

static void count(String what, long count) {
  IO.println("| %s | %s | |".formatted(what, count));
}

void main() throws IOException {
  var compiler = ToolProvider.getSystemJavaCompiler();
  var manager = compiler.getStandardFileManager(null, null, null);
  List<Source> sources = new ArrayList<>();
  List<Path> files =
      files("src/main/java", "src/main/templates", "src/tools/java", "src/tools/templates");
  List<Path> java = files.stream().filter(file -> file.toString().endsWith(".java")).toList();
  var task =
      (JavacTask)
          compiler.getTask(
              null,
              manager,
              null,
              List.of("-proc:none"),
              null,
              manager.getJavaFileObjectsFromPaths(java));
  SourcePositions positions = Trees.instance(task).getSourcePositions();
  for (CompilationUnitTree tree : task.parse()) {
    Path path = Path.of(tree.getSourceFile().getName());
    sources.add(new Source(path, tree.getLineMap().getLineNumber(read(path).length() - 1), tree));
  }
  files.stream()
      .filter(file -> !java.contains(file))
      .forEach(file -> sources.add(new Source(file, read(file).lines().count(), null)));
  List<Source> library = sources.stream().filter(it -> !it.isTool()).toList();
  List<Source> tools = sources.stream().filter(Source::isTool).toList();
  List<Source> families = library.stream().filter(it -> FAMILIES.contains(it.room())).toList();

  IO.println("| what | files | lines |\n| --- | ---: | ---: |");
  row("**library**", library);
  rows(library, Source::room);
  row("**families** of the library", families);
  rows(families, Source::role);
  row("**tools**", tools);
  rows(tools, Source::room);
  others("**tests**", "src/test", "src/tools/test");
  others("**spark**, tests included", "spark/src");
  others("**build**: writer of sources, signatures of TornadoVM", "src/build", "src/tornado-api");
  others("**measurements**: JMH, peers in CUDA, programs", "src/jmh", "src/bench", "examples");

  Predicate<MethodTree> isAbstract = method -> method.getBody() == null;
  List<MethodTree> primitive =
      library.stream()
          .filter(it -> it.name().equals("Primitive"))
          .flatMap(it -> ((ClassTree) it.tree().getTypeDecls().getFirst()).getMembers().stream())
          .filter(MethodTree.class::isInstance)
          .map(MethodTree.class::cast)
          .toList();
  count("methods of `Primitive`", primitive.size());
  count("of these, abstract ones", primitive.stream().filter(isAbstract).count());
  for (List<Source> of : List.of(library, tools)) {
    long many = 0;
    for (Source source : of) {
      for (MethodTree method : source.methods()) {
        var lines = source.tree().getLineMap();
        long first = lines.getLineNumber(positions.getStartPosition(source.tree(), method));
        long last = lines.getLineNumber(positions.getEndPosition(source.tree(), method));
        many += last - first + 1 > LONG_METHOD ? 1 : 0;
      }
    }
    count(
        "methods over %s lines, of %s"
            .formatted(LONG_METHOD, of == library ? "the library" : "tools"),
        many);
  }
  String module = read(Path.of("src/main/module/module-info.java"));
  Predicate<Source> isForUsers =
      it ->
          it.isPublic()
              && (it.room().equals("(root)")
                  || module.contains("exports funnel." + it.room() + ";"));
  count("files with types for users", library.stream().filter(isForUsers).count());
  Map<Source, Set<String>> uses =
      library.stream().collect(Collectors.toMap(it -> it, Source::uses));
  count(
      "other files that only one other file uses",
      library.stream()
          .filter(isForUsers.negate())
          .filter(
              it ->
                  library.stream()
                          .filter(other -> other != it && uses.get(other).contains(it.name()))
                          .count()
                      == 1)
          .count());
}
