package funnel.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.AccessFlags;
import java.lang.classfile.Annotation;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassSignature;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Signature;
import java.lang.classfile.attribute.ConstantValueAttribute;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares our statement of TornadoVM's API with the real one, class file by class file, so that
 * code that was compiled against ours links against TornadoVM. Members may be left out of ours;
 * what is stated must be the same.
 */
class SignatureTest {
  /*
   * Class files are read and not loaded, because both sides define the same names. Ours come from
   * the folder in the property funnel.tornado.api.classes or from target/tornado-api-classes; where
   * neither is there, src/tornado-api/java is compiled into a temporary folder.
   *
   * Compared are: kind and modifiers of a class, its superclass, its interfaces (ours a subset),
   * its generic signature, sealing, the order of enum constants, the annotations of annotation
   * types; and of every public or protected member that we state: modifiers, descriptor, generic
   * signature, exceptions, constant value.
   *
   * SdkMissing is the one type that is our own.
   */

  private static final String OWN = "uk/ac/manchester/tornado/api/SdkMissing";

  /**
   * What we state, do not use, and TornadoVM 6 has no more: other backends and devices than ours.
   */
  private static final Set<String> GONE =
      Set.of(
          "uk/ac/manchester/tornado/api/common/TornadoDevice: method isSPIRVSupported()Z ",
          "uk/ac/manchester/tornado/api/enums/TornadoDeviceType: enum constants: ",
          "uk/ac/manchester/tornado/api/enums/TornadoDeviceType: field FPGA ",
          "uk/ac/manchester/tornado/api/enums/TornadoVMBackendType: enum constants: ",
          "uk/ac/manchester/tornado/api/enums/TornadoVMBackendType: field PTX ",
          "uk/ac/manchester/tornado/api/enums/TornadoVMBackendType: field SPIRV ");

  private static final int CLASS_FLAGS =
      ClassFile.ACC_PUBLIC
          | ClassFile.ACC_PROTECTED
          | ClassFile.ACC_PRIVATE
          | ClassFile.ACC_STATIC
          | ClassFile.ACC_FINAL
          | ClassFile.ACC_INTERFACE
          | ClassFile.ACC_ABSTRACT
          | ClassFile.ACC_ANNOTATION
          | ClassFile.ACC_ENUM;
  private static final int FIELD_FLAGS =
      ClassFile.ACC_PUBLIC
          | ClassFile.ACC_PROTECTED
          | ClassFile.ACC_STATIC
          | ClassFile.ACC_FINAL
          | ClassFile.ACC_VOLATILE
          | ClassFile.ACC_ENUM;
  private static final int METHOD_FLAGS =
      ClassFile.ACC_PUBLIC
          | ClassFile.ACC_PROTECTED
          | ClassFile.ACC_STATIC
          | ClassFile.ACC_FINAL
          | ClassFile.ACC_ABSTRACT
          | ClassFile.ACC_VARARGS
          | ClassFile.ACC_BRIDGE;

  @TempDir Path temporary;

  @Test
  void tornadoVmHasEverySignatureThatWeState() throws IOException {
    Map<String, ClassModel> theirs = sdk();
    List<String> differences = new ArrayList<>();
    int compared = 0;
    for (ClassModel ours : ours().values()) {
      if (name(ours).startsWith("uk/")) {
        compare(ours, theirs.get(name(ours)), differences::add);
        compared++;
      }
    }
    assertTrue(compared > 50, "only " + compared + " classes found on our side");
    if (!isVersion5()) {
      differences.removeIf(difference -> GONE.stream().anyMatch(difference::startsWith));
    }
    assertEquals("", String.join("\n", differences));
  }

  @Test
  void theJvmHasEveryCompilerInterfaceThatWeState() throws IOException {
    FileSystem jrt = FileSystems.getFileSystem(URI.create("jrt:/"));
    Path module = jrt.getPath("modules", "jdk.internal.vm.ci");
    if (!Files.isDirectory(module)) {
      abort(
          "THE JVM'S COMPILER INTERFACE IS NOT COMPARED: this JDK has no module"
              + " jdk.internal.vm.ci");
    }
    List<String> differences = new ArrayList<>();
    int compared = 0;
    for (ClassModel ours : ours().values()) {
      if (name(ours).startsWith("jdk/")) {
        Path file = module.resolve(name(ours) + ".class");
        ClassModel theirs = Files.exists(file) ? parse(Files.readAllBytes(file)) : null;
        compare(ours, theirs, differences::add);
        compared++;
      }
    }
    assertEquals(4, compared);
    assertEquals("", String.join("\n", differences));
  }

  @Test
  void everyClassIsTornadoVmsOrTheJvmsButOne() throws IOException {
    Set<String> others = new HashSet<>();
    for (String name : ours().keySet()) {
      if (!name.startsWith("uk/ac/manchester/tornado/") && !name.startsWith("jdk/vm/ci/meta/")) {
        others.add(name);
      }
    }
    assertEquals(Set.of(), others);
  }

  /** The comparison itself can fail: one changed thing at a time, each of which must be named. */
  @Test
  void aDifferenceIsFound() {
    ClassModel plain = sample(ConstantDescs.CD_Object, ClassFile.ACC_PUBLIC, 1);
    assertEquals(List.of(), differences(plain, plain));

    assertDifference("missing", plain, null);
    assertDifference("superclass", plain, sample(ConstantDescs.CD_Number, ClassFile.ACC_PUBLIC, 1));
    assertDifference("value", plain, sample(ConstantDescs.CD_Object, ClassFile.ACC_PUBLIC, 2));
    assertDifference(
        "modifiers", plain, sample(ConstantDescs.CD_Object, ClassFile.ACC_PROTECTED, 1));

    ClassModel fewer =
        parse(
            ClassFile.of()
                .build(ClassDesc.of("p.A"), builder -> builder.withFlags(ClassFile.ACC_PUBLIC)));
    assertDifference("missing", plain, fewer);
    assertEquals(List.of(), differences(fewer, plain), "members may be left out");

    ClassModel closed =
        parse(
            ClassFile.of()
                .build(
                    ClassDesc.of("p.A"),
                    builder -> builder.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL)));
    assertDifference("modifiers", fewer, closed);

    ClassModel implementing =
        parse(
            ClassFile.of()
                .build(
                    ClassDesc.of("p.A"),
                    builder ->
                        builder
                            .withFlags(ClassFile.ACC_PUBLIC)
                            .withInterfaceSymbols(ClassDesc.of("p.I"))));
    assertDifference("interfaces", implementing, fewer);
    assertEquals(List.of(), differences(fewer, implementing), "interfaces may be left out");
  }

  private static void assertDifference(String what, ClassModel ours, ClassModel theirs) {
    List<String> differences = differences(ours, theirs);
    assertFalse(differences.isEmpty(), what + " was not found");
    assertTrue(differences.toString().contains(what), differences.toString());
  }

  private static List<String> differences(ClassModel ours, ClassModel theirs) {
    List<String> differences = new ArrayList<>();
    compare(ours, theirs, differences::add);
    return differences;
  }

  private static ClassModel sample(ClassDesc superclass, int methodFlags, int value) {
    return parse(
        ClassFile.of()
            .build(
                ClassDesc.of("p.A"),
                builder ->
                    builder
                        .withFlags(ClassFile.ACC_PUBLIC)
                        .withSuperclass(superclass)
                        .withField(
                            "F",
                            ConstantDescs.CD_int,
                            field ->
                                field
                                    .withFlags(
                                        ClassFile.ACC_PUBLIC
                                            | ClassFile.ACC_STATIC
                                            | ClassFile.ACC_FINAL)
                                    .with(ConstantValueAttribute.of(value)))
                        .withMethodBody(
                            "m",
                            MethodTypeDesc.of(ConstantDescs.CD_void),
                            methodFlags,
                            code -> code.return_())));
  }

  private static void compare(ClassModel ours, ClassModel theirs, Consumer<String> differences) {
    String name = name(ours);
    if (theirs == null) {
      differences.accept(name + ": the class is missing on the other side");
      return;
    }
    Consumer<String> difference = text -> differences.accept(name + ": " + text);
    same("modifiers", modifiers(ours), modifiers(theirs), difference);
    same(
        "superclass",
        ours.superclass().map(ClassEntry::asInternalName),
        theirs.superclass().map(ClassEntry::asInternalName),
        difference);
    List<String> ourInterfaces = names(ours.interfaces());
    List<String> theirInterfaces = names(theirs.interfaces());
    within("interfaces", ourInterfaces, theirInterfaces, difference);
    Optional<ClassSignature> ourSignature = classSignature(ours);
    Optional<ClassSignature> theirSignature = classSignature(theirs);
    if (ourInterfaces.equals(theirInterfaces)) {
      same(
          "signature",
          ourSignature.map(ClassSignature::signatureString),
          theirSignature.map(ClassSignature::signatureString),
          difference);
    }
    same(
        "type parameters",
        typeParameters(ourSignature),
        typeParameters(theirSignature),
        difference);
    compareSealing(ours, theirs, difference);
    if (ours.flags().has(AccessFlag.ENUM)) {
      same("enum constants", constants(ours), constants(theirs), difference);
    }
    if (ours.flags().has(AccessFlag.ANNOTATION)) {
      same("annotations", annotations(ours), annotations(theirs), difference);
    }
    compareFields(ours, theirs, difference);
    compareMethods(ours, theirs, difference);
  }

  /*
   * Outside of a module a sealed class cannot permit a class of another package. Where all of
   * theirs are such, ours stays open.
   */
  private static void compareSealing(
      ClassModel ours, ClassModel theirs, Consumer<String> difference) {
    Optional<List<String>> ourPermitted = permitted(ours);
    Optional<List<String>> theirPermitted = permitted(theirs);
    if (ourPermitted.isPresent()) {
      if (theirPermitted.isEmpty()) {
        difference.accept("sealed, which the other side is not");
      } else {
        within("permitted subclasses", ourPermitted.get(), theirPermitted.get(), difference);
      }
    } else if (theirPermitted.isPresent()) {
      String ourPackage = packageOf(name(ours));
      if (theirPermitted.get().stream().anyMatch(other -> packageOf(other).equals(ourPackage))) {
        difference.accept("not sealed, which the other side is");
      }
    }
  }

  private static void compareFields(
      ClassModel ours, ClassModel theirs, Consumer<String> difference) {
    Map<String, FieldModel> others = new HashMap<>();
    for (FieldModel field : theirs.fields()) {
      others.put(key(field), field);
    }
    for (FieldModel field : ours.fields()) {
      if (!visible(field.flags())) {
        continue;
      }
      String key = key(field);
      FieldModel other = others.get(key);
      if (other == null) {
        difference.accept("field " + key + " is missing on the other side");
        continue;
      }
      same(
          "modifiers of " + key,
          hex(field.flags().flagsMask() & FIELD_FLAGS),
          hex(other.flags().flagsMask() & FIELD_FLAGS),
          difference);
      same("signature of " + key, signature(field), signature(other), difference);
      same("value of " + key, value(field), value(other), difference);
    }
  }

  private static void compareMethods(
      ClassModel ours, ClassModel theirs, Consumer<String> difference) {
    Map<String, MethodModel> others = new HashMap<>();
    for (MethodModel method : theirs.methods()) {
      others.put(key(method), method);
    }
    for (MethodModel method : ours.methods()) {
      if (!visible(method.flags())) {
        continue;
      }
      String key = key(method);
      MethodModel other = others.get(key);
      if (other == null) {
        difference.accept("method " + key + " is missing on the other side");
        continue;
      }
      same(
          "modifiers of " + key,
          hex(method.flags().flagsMask() & METHOD_FLAGS),
          hex(other.flags().flagsMask() & METHOD_FLAGS),
          difference);
      same("signature of " + key, signature(method), signature(other), difference);
      same("exceptions of " + key, exceptions(method), exceptions(other), difference);
    }
  }

  private static void same(String what, Object ours, Object theirs, Consumer<String> difference) {
    if (!ours.equals(theirs)) {
      difference.accept("%s: ours %s, theirs %s".formatted(what, ours, theirs));
    }
  }

  private static void within(
      String what, List<String> ours, List<String> theirs, Consumer<String> difference) {
    if (!theirs.containsAll(ours)) {
      difference.accept("%s: ours %s, theirs %s".formatted(what, ours, theirs));
    }
  }

  private static boolean visible(AccessFlags flags) {
    return (flags.flagsMask() & (ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED)) != 0;
  }

  private static String name(ClassModel model) {
    return model.thisClass().asInternalName();
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('/') + 1);
  }

  private static List<String> names(List<ClassEntry> entries) {
    return entries.stream().map(ClassEntry::asInternalName).toList();
  }

  private static String key(FieldModel field) {
    return field.fieldName().stringValue() + " " + field.fieldType().stringValue();
  }

  private static String key(MethodModel method) {
    return method.methodName().stringValue() + method.methodType().stringValue();
  }

  private static String hex(int flags) {
    return "0x" + Integer.toHexString(flags);
  }

  /** A nested class keeps its real modifiers in the table of inner classes. */
  private static String modifiers(ClassModel model) {
    int flags = model.flags().flagsMask();
    for (InnerClassInfo inner :
        model
            .findAttribute(Attributes.innerClasses())
            .map(all -> all.classes())
            .orElse(List.of())) {
      if (inner.innerClass().asInternalName().equals(name(model))) {
        flags = inner.flagsMask();
      }
    }
    return hex(flags & CLASS_FLAGS);
  }

  private static Optional<ClassSignature> classSignature(ClassModel model) {
    return model
        .findAttribute(Attributes.signature())
        .map(attribute -> attribute.asClassSignature());
  }

  private static List<Signature.TypeParam> typeParameters(Optional<ClassSignature> signature) {
    return signature.map(ClassSignature::typeParameters).orElse(List.of());
  }

  private static Optional<List<String>> permitted(ClassModel model) {
    return model
        .findAttribute(Attributes.permittedSubclasses())
        .map(attribute -> names(attribute.permittedSubclasses()));
  }

  private static List<String> constants(ClassModel model) {
    return model.fields().stream()
        .filter(field -> (field.flags().flagsMask() & ClassFile.ACC_ENUM) != 0)
        .map(field -> field.fieldName().stringValue())
        .toList();
  }

  private static Set<String> annotations(ClassModel model) {
    Set<String> texts = new HashSet<>();
    for (Annotation annotation :
        model
            .findAttribute(Attributes.runtimeVisibleAnnotations())
            .map(attribute -> attribute.annotations())
            .orElse(List.of())) {
      texts.add(annotation.toString());
    }
    return texts;
  }

  private static Optional<String> signature(AttributedElement member) {
    return member
        .findAttribute(Attributes.signature())
        .map(attribute -> attribute.signature().stringValue());
  }

  private static Optional<Object> value(FieldModel field) {
    return field
        .findAttribute(Attributes.constantValue())
        .map(attribute -> attribute.constant().constantValue());
  }

  private static List<String> exceptions(MethodModel method) {
    return method
        .findAttribute(Attributes.exceptions())
        .map(attribute -> names(attribute.exceptions()))
        .orElse(List.of());
  }

  private static ClassModel parse(byte[] bytes) {
    return ClassFile.of().parse(bytes);
  }

  /** Our classes by internal name, without package-info and without the one that is our own. */
  private Map<String, ClassModel> ours() throws IOException {
    Map<String, ClassModel> classes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(ourFolder())) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        ClassModel model = parse(Files.readAllBytes(file));
        if (!name(model).endsWith("/package-info") && !name(model).equals(OWN)) {
          classes.put(name(model), model);
        }
      }
    }
    return classes;
  }

  private Path ourFolder() throws IOException {
    String given = System.getProperty("funnel.tornado.api.classes");
    Path folder = Path.of(given != null ? given : "target/tornado-api-classes");
    if (given != null || Files.isDirectory(folder)) {
      return folder;
    }
    Path sources = Path.of("src/tornado-api/java");
    List<String> options =
        new ArrayList<>(List.of("--release", "25", "-proc:none", "-d", temporary.toString()));
    try (Stream<Path> files = Files.walk(sources)) {
      files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(options::add);
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertEquals(
        0, compiler.run(null, null, null, options.toArray(String[]::new)), "src/tornado-api");
    return temporary;
  }

  /** TornadoVM's classes by internal name, from all of its own jars. */
  private static Map<String, ClassModel> sdk() throws IOException {
    String home = System.getenv("TORNADOVM_HOME");
    if (home == null || home.isBlank()) {
      abort("TORNADOVM'S SIGNATURES ARE NOT COMPARED: TORNADOVM_HOME names no TornadoVM SDK");
    }
    List<Path> jars = jars(home);
    assertFalse(jars.isEmpty(), "no tornado-*.jar in " + home);
    Map<String, ClassModel> classes = new HashMap<>();
    for (Path jar : jars) {
      try (ZipFile zip = new ZipFile(jar.toFile())) {
        zip.stream()
            .filter(entry -> entry.getName().startsWith("uk/"))
            .filter(entry -> entry.getName().endsWith(".class"))
            .map(entry -> read(zip, entry))
            .forEach(model -> classes.put(name(model), model));
      }
    }
    return classes;
  }

  private static List<Path> jars(String home) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(home, "share", "java", "tornado"))) {
      return files.filter(SignatureTest::isTornadoJar).toList();
    }
  }

  private static boolean isVersion5() throws IOException {
    return jars(System.getenv("TORNADOVM_HOME")).stream()
        .anyMatch(jar -> jar.getFileName().toString().startsWith("tornado-api-5."));
  }

  private static boolean isTornadoJar(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith("tornado-") && name.endsWith(".jar");
  }

  private static ClassModel read(ZipFile zip, ZipEntry entry) {
    try (InputStream in = zip.getInputStream(entry)) {
      return parse(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
