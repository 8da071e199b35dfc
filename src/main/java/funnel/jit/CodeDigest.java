package funnel.jit;

import funnel.jit.LoadedMethod.Refusal;
import funnel.operator.OperatorException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.KernelContext;

/**
 * A digest of everything in Java that compiled kernels depend on, except for the JDK and TornadoVM:
 * the class files of the classes whose methods or fields the kernels use. It is the same in every
 * process.
 *
 * <p>Copies by {@link KernelCopies} for a device have no names or lines of a user's source in them,
 * so functions of equal code give equal digests. Thread-safe.
 */
public final class CodeDigest {

  /* Classes are followed through the methods that kernels call, not through all that their class
   * files name: the code that launches kernels, often in the same class, names half of Funnel. Of
   * each class on the way the whole file counts, which is cheaper than the methods alone.
   *
   * A compiler also knows the values of static final fields. These are known from class files if
   * the static initializer and what it calls compute them from constants, so that any other call
   * of the JDK there, such as Integer.getInteger, means that the digest cannot be known; and so does
   * a method that a class may override that kernels do not name.
   *
   * A class may have been loaded before its file was written again, and what TornadoVM compiles is
   * what was loaded. So files must be older than the process.
   */

  private static final Logger LOG = LoggerFactory.getLogger(CodeDigest.class);

  /** When this process began, or up to a second later: Linux tells it by whole seconds. */
  private static final Instant STARTED =
      ProcessHandle.current()
          .info()
          .startInstant()
          .map(start -> start.plusSeconds(1))
          .orElse(Instant.MIN);

  /** When java began, which a launcher may have become after it wrote class files. */
  private static final class Jvm {
    static final Instant STARTED =
        Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
  }

  private static final ClassDesc CONTEXT = KernelContext.class.describeConstable().orElseThrow();

  /** Classes of the JDK with constants, and methods that compute results from arguments alone. */
  private static final Set<ClassDesc> PURE =
      Stream.of(
              Object.class,
              Enum.class,
              Integer.class,
              Long.class,
              Float.class,
              Double.class,
              Math.class,
              ByteOrder.class,
              ValueLayout.class,
              ValueLayout.OfInt.class,
              ValueLayout.OfLong.class,
              ValueLayout.OfFloat.class,
              ValueLayout.OfDouble.class)
          .map(type -> type.describeConstable().orElseThrow())
          .collect(Collectors.toUnmodifiableSet());

  /** Methods of these that do not. */
  private static final Set<String> IMPURE =
      Set.of("getInteger", "getLong", "hashCode", "nativeOrder", "random");

  private record ReadFile(byte[] hash, ClassModel model) {
    static ReadFile of(Class<?> type) {
      byte[] bytes = read(type);
      return new ReadFile(sha256().digest(bytes), ClassFile.of().parse(bytes));
    }
  }

  /** A method that kernels call, or that computes a static field which they read. */
  private record Reached(LoadedMethod method, boolean inInitializer) {}

  /** Files that many kernels share; a copy's is read once. */
  private static final ClassValue<ReadFile> FILES =
      new ClassValue<>() {
        @Override
        protected ReadFile computeValue(Class<?> type) {
          return ReadFile.of(type);
        }
      };

  /** What is known of a class with kernels. */
  private record Facts(
      Optional<String> digest,
      boolean asksForLengths,
      CallGraph calls,
      List<LoadedMethod> recursive) {}

  private static final ClassValue<Facts> FACTS =
      new ClassValue<>() {
        @Override
        protected Facts computeValue(Class<?> kernels) {
          CodeDigest digest = new CodeDigest();
          try {
            return digest.facts(Optional.of(digest.digest(kernels)));
          } catch (Refusal | IllegalArgumentException | UncheckedIOException e) {
            LOG.info(
                "compiled kernels of {} are not kept, since it is not known what they depend on:"
                    + " {}",
                kernels.getName(),
                e.getMessage());
            return digest.facts(Optional.empty());
          }
        }
      };

  /** Methods of TornadoVM's arrays whose results depend on elements alone. */
  private static final Set<String> OF_ELEMENTS = Set.of("get", "set");

  private static final String ARRAYS = "uk.ac.manchester.tornado.api.types.";

  private final Map<Class<?>, ReadFile> files = new HashMap<>();
  private final CallGraph calls = new CallGraph();
  private boolean asksForLengths;
  private @Nullable Refusal refusal;
  private final Set<Reached> reached = new HashSet<>();
  private final Deque<Reached> queue = new ArrayDeque<>();

  private static final String RECURSION =
      "it calls itself, directly or through others, and kernel %s calls it: TornadoVM puts each"
          + " called method into its caller, without end. Write a loop";

  private CodeDigest() {}

  private Facts facts(Optional<String> digest) {
    return new Facts(digest, asksForLengths, calls, calls.recursive());
  }

  /**
   * The digest for the kernels of a class, as hexadecimal digits; empty if it cannot be known,
   * which is logged once: a class file is not found or newer than the process, or a kernel depends
   * on something that class files do not have.
   *
   * @param kernels a class with kernels, or a copy of one
   */
  public static Optional<String> of(Class<?> kernels) {
    return FACTS.get(kernels).digest();
  }

  /**
   * Whether kernels of a class, whose digest is known, may ask for more of an array than its
   * elements, such as its length: TornadoVM compiles that in.
   */
  public static boolean asksForLengths(Class<?> kernels) {
    return FACTS.get(kernels).asksForLengths();
  }

  /**
   * Requires that no method calls itself, directly or through others, of those that a kernel calls:
   * TornadoVM puts each called method into its caller, and would do so without end.
   *
   * @throws OperatorException with the method
   */
  public static void requireNoRecursion(Method kernel) {
    Class<?> owner = kernel.getDeclaringClass();
    Facts facts = FACTS.get(owner);
    String descriptor =
        MethodType.methodType(kernel.getReturnType(), kernel.getParameterTypes())
            .descriptorString();
    LoadedMethod own = new LoadedMethod(owner, kernel.getName(), descriptor);
    for (LoadedMethod method : facts.recursive()) {
      if (facts.calls().leads(own, method)) {
        throw new OperatorException(method.toString(), RECURSION.formatted(own));
      }
    }
  }

  /** The classes that kernels of a class depend on. */
  static Set<Class<?>> classes(Class<?> kernels) {
    CodeDigest digest = new CodeDigest();
    digest.digest(kernels);
    return digest.files.keySet();
  }

  /** The hexadecimal digits of a digest of bytes. */
  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(sha256().digest(bytes));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private String digest(Class<?> kernels) {
    for (MethodModel method : file(kernels).methods()) {
      if (method.flags().has(AccessFlag.STATIC)
          && method.methodTypeSymbol().parameterList().indexOf(CONTEXT) == 0) {
        String descriptor = method.methodType().stringValue();
        reach(new LoadedMethod(kernels, method.methodName().stringValue(), descriptor), false);
      }
    }
    for (Reached next = queue.poll(); next != null; next = queue.poll()) {
      follow(next);
    }
    if (refusal != null) {
      throw refusal;
    }
    MessageDigest digest = sha256();
    files.entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getKey().getName()))
        .forEach(
            entry -> {
              digest.update(entry.getKey().getName().getBytes(StandardCharsets.UTF_8));
              digest.update(entry.getValue().hash());
            });
    return HexFormat.of().formatHex(digest.digest());
  }

  private void reach(LoadedMethod method, boolean inInitializer) {
    Reached each = new Reached(method, inInitializer);
    if (reached.add(each)) {
      queue.add(each);
    }
  }

  /** The class file of a class that kernels depend on. */
  private ClassModel file(Class<?> type) {
    ReadFile known = files.get(type);
    if (known == null) {
      known = ClassFiles.isMade(type.getName()) ? ReadFile.of(type) : FILES.get(type);
      files.put(type, known);
      Class<?> parent = type.getSuperclass();
      if (parent != null && !LoadedMethod.isPlatform(parent.getName())) {
        file(parent);
      }
    }
    return known.model();
  }

  private static byte[] read(Class<?> type) {
    String name = type.getName();
    ClassLoader loader = type.getClassLoader();
    if (type.isHidden() || loader == null) {
      throw new Refusal("the class file of %s is not found".formatted(name));
    }
    if (!ClassFiles.isMade(name)) {
      requireOld(loader.getResource(name.replace('.', '/') + ".class"));
    }
    byte[] bytes = ClassFiles.read(name, loader);
    if (bytes == null) {
      throw new Refusal("the class file of %s is not found".formatted(name));
    }
    return bytes;
  }

  /** Throws if a class file, or the jar that it is in, was written after this process began. */
  private static void requireOld(@Nullable URL url) {
    if (url == null) {
      return;
    }
    String file = url.toString();
    if (url.getProtocol().equals("jar")) {
      file = url.getPath().substring(0, Math.max(0, url.getPath().indexOf("!/")));
    }
    if (!file.startsWith("file:")) {
      return;
    }
    try {
      Instant written = Files.getLastModifiedTime(Path.of(URI.create(file))).toInstant();
      if (written.isAfter(STARTED) && written.isAfter(Jvm.STARTED)) {
        throw new Refusal(
            "%s was written at %s, after this process began at %s"
                .formatted(file, written, STARTED));
      }
    } catch (IOException e) {
      throw new Refusal("%s cannot be read: %s".formatted(file, e));
    }
  }

  private void follow(Reached from) {
    LoadedMethod method = from.method();
    MethodModel found = method.find(file(method.owner()));
    CodeModel code = found == null ? null : found.code().orElse(null);
    if (code == null) {
      throw new Refusal("%s has no bytecode".formatted(method));
    }
    for (CodeElement element : code) {
      try {
        follow(element, from);
      } catch (Refusal e) {
        refusal = refusal == null ? e : refusal; // what follows may be recursive
      }
    }
  }

  private void follow(CodeElement element, Reached from) {
    LoadedMethod method = from.method();
    if (element instanceof InvokeInstruction call) {
      followCall(call, from);
    } else if (element instanceof FieldInstruction field) {
      followField(field, from);
    } else if (element instanceof InvokeDynamicInstruction) {
      throw new Refusal("%s makes a lambda or joins strings".formatted(method));
    } else if (element instanceof LoadConstantInstruction load
        && (load.constantValue() instanceof DynamicConstantDesc
            || load.constantValue() instanceof MethodHandleDesc)) {
      throw new Refusal("%s has a constant that is computed".formatted(method));
    } else if (element instanceof NewObjectInstruction make) {
      followType(make.className(), method);
    } else if (element instanceof NewReferenceArrayInstruction make) {
      followType(make.componentType(), method);
    } else if (element instanceof TypeCheckInstruction check) {
      followType(check.type(), method);
    }
  }

  private void followType(ClassEntry type, LoadedMethod from) {
    if (!isPlatform(type.asSymbol())) {
      file(load(type.asSymbol(), from));
    }
  }

  private void followCall(InvokeInstruction call, Reached from) {
    ClassDesc owner = call.owner().asSymbol();
    String name = call.name().stringValue();
    if (isPlatform(owner)) {
      asksForLengths |=
          LoadedMethod.binaryName(owner).startsWith(ARRAYS) && !OF_ELEMENTS.contains(name);
      requirePure(owner, name, from);
      return;
    }
    LoadedMethod method =
        LoadedMethod.resolve(
            load(owner, from.method()), name, call.type().stringValue(), this::file);
    MethodModel found = method == null ? null : method.find(file(method.owner()));
    if (method == null || found == null) {
      throw new Refusal("%s calls %s, which is not found".formatted(from.method(), name));
    }
    boolean isFixed =
        call.opcode() == Opcode.INVOKESTATIC
            || call.opcode() == Opcode.INVOKESPECIAL
            || found.flags().has(AccessFlag.FINAL)
            || found.flags().has(AccessFlag.PRIVATE)
            || method.owner().accessFlags().contains(AccessFlag.FINAL);
    if (!isFixed) {
      throw new Refusal(
          "%s calls %s, which a class may override: make it final"
              .formatted(from.method(), method));
    }
    calls.add(from.method(), method);
    reach(method, from.inInitializer());
  }

  private static void requirePure(ClassDesc owner, String name, Reached from) {
    boolean isPure = owner.isArray() || PURE.contains(owner) && !IMPURE.contains(name);
    if (from.inInitializer() && !isPure) {
      throw new Refusal(
          "%s computes a constant with %s.%s".formatted(from.method(), owner.displayName(), name));
    }
  }

  private void followField(FieldInstruction field, Reached from) {
    boolean isStatic = field.opcode() == Opcode.GETSTATIC || field.opcode() == Opcode.PUTSTATIC;
    String name = field.name().stringValue();
    if (isPlatform(field.owner().asSymbol())) {
      requirePure(field.owner().asSymbol(), name, from);
      return;
    }
    Class<?> owner = load(field.owner().asSymbol(), from.method());
    FieldModel found = find(field, owner);
    for (; found == null && owner.getSuperclass() != null; found = find(field, owner)) {
      owner = owner.getSuperclass();
    }
    if (found == null || isStatic && !found.flags().has(AccessFlag.FINAL)) {
      throw new Refusal(
          "%s uses field %s, which is %s"
              .formatted(from.method(), name, found == null ? "not found" : "not final"));
    }
    LoadedMethod initializer =
        new LoadedMethod(
            owner, ConstantDescs.CLASS_INIT_NAME, ConstantDescs.MTD_void.descriptorString());
    if (isStatic && initializer.find(file(owner)) != null) {
      reach(initializer, true);
    }
  }

  private @Nullable FieldModel find(FieldInstruction field, Class<?> owner) {
    return LoadedMethod.isPlatform(owner.getName())
        ? null
        : file(owner).fields().stream()
            .filter(each -> each.fieldName().equalsString(field.name().stringValue()))
            .filter(each -> each.fieldType().equalsString(field.type().stringValue()))
            .findFirst()
            .orElse(null);
  }

  private static boolean isPlatform(ClassDesc type) {
    return LoadedMethod.isPlatform(LoadedMethod.binaryName(type));
  }

  private static Class<?> load(ClassDesc type, LoadedMethod from) {
    String name = LoadedMethod.binaryName(type);
    try {
      return Class.forName(name, false, from.owner().getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      throw new Refusal("%s uses class %s, which is not found".formatted(from, name));
    }
  }
}
