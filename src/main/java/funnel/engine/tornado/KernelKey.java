package funnel.engine.tornado;

import funnel.jit.ClassFiles;
import funnel.jit.CodeDigest;
import funnel.kernel.AtLaunch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.management.ManagementFactory;
import java.lang.module.ResolvedModule;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** What compiled kernels are found by: a digest of everything that their code depends on. */
final class KernelKey {

  /* That is: Java's code, which CodeDigest reads; the numbers among the arguments, which are
   * constants of the kernel; the classes of the others; and what all kernels of a process have in
   * common. TornadoVM makes a constant of the length of an array too, where a kernel asks for it.
   * Properties are part of it unless they are known to change no code: one that is new, or not
   * thought of, then costs a compilation and no more. TornadoVM reads some of them each time.
   *
   * The JVM's layout of objects is part of it: TornadoVM compiles in the length of an array's header,
   * which follows from options of the JVM, and where elements of a private array begin.
   *
   * Only numbers that cannot change are constants: TornadoVM itself treats an AtomicInteger in
   * another way. Floating-point ones count by their bits, for a NaN has some that text does not show.
   */

  /** The length of a key. */
  static final int DIGITS = 64;

  private static final int FORMAT = 1;

  private static final List<String> PROPERTIES = List.of("tornado.", "graal.", "jdk.graal.");

  private static final Set<String> OF_NO_CODE =
      Set.of(
          "tornado.device",
          "tornado.device.memory",
          "tornado.eventpool.size",
          "tornado.load.annotation.implementation",
          "tornado.load.annotation.parallel",
          "tornado.load.api.implementation",
          "tornado.load.runtime.implementation",
          "tornado.load.tornado.implementation",
          "tornado.max.events",
          "tornado.recover.bailout",
          "tornado.threadInfo",
          "tornado.tvm.maxbytecodesize");

  private static final List<String> MODULES = List.of("tornado.", "jdk.graal.compiler");

  private static final List<String> LAYOUTS = List.of("Compressed", "CompactObjectHeaders");

  private final byte[] common;

  /** It takes as long as the driver's start, beside which it runs. */
  private static final class Compilers {
    static final CompletableFuture<byte[]> DIGEST =
        CompletableFuture.supplyAsync(
            KernelKey::compilers,
            task -> Thread.ofPlatform().daemon().name("funnel-compilers").start(task));
  }

  /** Begins to read what all keys need. */
  static void begin() {
    var _ = Compilers.DIGEST;
  }

  /** The library's jar, with the loops of the JVM that kernels are compared with; or a folder. */
  private static Optional<Path> library() {
    CodeSource source = KernelKey.class.getProtectionDomain().getCodeSource();
    return source == null || !source.getLocation().getProtocol().equals("file")
        ? Optional.empty()
        : Optional.of(Path.of(URI.create(source.getLocation().toString())));
  }

  /** What is in the library's jar; empty if it is none, as while it is being developed. */
  private static final class Library {
    static final Optional<String> CONTENTS =
        library().filter(Files::isRegularFile).map(jar -> hex(contents(jar)));
  }

  /**
   * What a check of kernels depends on besides their code; empty if a check is made in each
   * process.
   */
  static Optional<String> ofChecks() {
    return Library.CONTENTS;
  }

  /** Whether a class, or the class that it is a copy of, is the library's. */
  static boolean isOfLibrary(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source != null && source.equals(KernelKey.class.getProtectionDomain().getCodeSource());
  }

  /** The digest of a text. */
  static String hex(String text) {
    MessageDigest digest = sha256();
    add(digest, text);
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * The keys of a process.
   *
   * @param common what all kernels depend on, but for the compilers of the Java code
   */
  KernelKey(List<String> common) {
    MessageDigest digest = sha256();
    digest.update((byte) FORMAT);
    common.forEach(each -> add(digest, each));
    add(digest, Runtime.version().toString());
    add(digest, System.getProperty("java.vm.vendor", ""));
    add(digest, Long.toString(TornadoNativeArray.ARRAY_HEADER));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> LAYOUTS.stream().anyMatch(option::contains))
        .forEach(option -> add(digest, option));
    digest.update(Compilers.DIGEST.join());
    this.common = digest.digest();
  }

  /** The properties that may change the code of kernels, with their values. */
  private static Set<String> properties() {
    Set<String> found = new TreeSet<>();
    for (String name : System.getProperties().stringPropertyNames()) {
      if (PROPERTIES.stream().anyMatch(name::startsWith) && !OF_NO_CODE.contains(name)) {
        found.add(name + "=" + System.getProperty(name));
      }
    }
    return found;
  }

  /** The files of TornadoVM and of the compiler that it uses, where they are not the JDK's own. */
  private static byte[] compilers() {
    MessageDigest digest = sha256();
    ModuleLayer.boot().configuration().modules().stream()
        .filter(module -> MODULES.stream().anyMatch(module.name()::startsWith))
        .sorted(Comparator.comparing(ResolvedModule::name))
        .forEach(
            module -> {
              URI place = module.reference().location().orElseThrow();
              if (place.getScheme().equals("file")) {
                add(digest, module.name());
                add(digest, contents(Path.of(place)));
              }
            });
    return digest.digest();
  }

  /**
   * What is in a jar, by the checksums in its directory: bundles have the SDK's files in others.
   */
  static String contents(Path jar) {
    try (ZipFile file = new ZipFile(jar.toFile())) {
      return file.stream()
          .map(each -> each.getName() + " " + each.getSize() + " " + each.getCrc())
          .sorted()
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A digest of class files: of what makes the code of kernels, but is called by none. */
  static String ofClasses(Class<?>... types) {
    MessageDigest digest = sha256();
    for (Class<?> type : types) {
      digest.update(Objects.requireNonNull(ClassFiles.read(type.getName(), type.getClassLoader())));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Adds a text so that no two lists of texts are the same bytes. */
  private static void add(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      digest.update((byte) (bytes.length >>> shift));
    }
    digest.update(bytes);
  }

  /** The numbers of the parameters that a kernel takes at each launch. */
  static BitSet atLaunch(Method kernel) {
    BitSet found = new BitSet();
    Annotation[][] parameters = kernel.getParameterAnnotations();
    for (int i = 0; i < parameters.length; i++) {
      found.set(i, Stream.of(parameters[i]).anyMatch(AtLaunch.class::isInstance));
    }
    return found;
  }

  private static boolean isBoxed(Number number) {
    return switch (number) {
      case Byte _, Short _, Integer _, Long _, Float _, Double _ -> true;
      default -> false;
    };
  }

  private static String bits(Number number) {
    return switch (number) {
      case Float value -> Integer.toString(Float.floatToRawIntBits(value));
      case Double value -> Long.toString(Double.doubleToRawLongBits(value));
      default -> number.toString();
    };
  }

  /**
   * The key of a kernel; null if it cannot be known, since its class file cannot be found or an
   * argument is of an unknown kind.
   *
   * @param arguments its arguments, from the context on
   */
  @Nullable String of(Method kernel, List<Object> arguments) {
    Class<?> owner = kernel.getDeclaringClass();
    Optional<String> code = CodeDigest.of(owner);
    if (code.isEmpty()) {
      return null;
    }
    MessageDigest digest = sha256();
    digest.update(common);
    properties().forEach(each -> add(digest, each));
    add(digest, code.get());
    add(digest, kernel.toString());
    BitSet atLaunch = atLaunch(kernel);
    for (int i = 0; i < arguments.size(); i++) {
      Object argument = arguments.get(i);
      add(digest, argument.getClass().getName());
      switch (argument) {
        case KernelContext _ -> {}
        case Number number when isBoxed(number) ->
            add(digest, atLaunch.get(i) ? "at launch" : bits(number));
        case TornadoNativeArray array -> {
          if (CodeDigest.asksForLengths(owner)) {
            add(digest, Integer.toString(array.getSize()));
          }
        }
        default -> {
          return null;
        }
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
