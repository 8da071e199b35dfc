package funnel.jit;

/**
 * The compiler of the TornadoVM that this process has: of the JDK's module in version 5, a copy
 * under names of its own later.
 */
public final class TornadoCompiler {

  private static final boolean OWN = ModuleLayer.boot().findModule("tornado.graal").isPresent();

  private TornadoCompiler() {}

  /** Whether TornadoVM has a compiler of its own. */
  static boolean isOwn() {
    return OWN;
  }

  /** What the names of the compiler's packages begin with. */
  static String packages() {
    return (OWN ? "tornado" : "jdk") + ".graal.compiler.";
  }

  /** The file of options for java that goes with this compiler, for messages. */
  public static String argfile() {
    return OWN ? "tornado-config/tornado-6.argfile" : "tornado-config/tornado.argfile";
  }

  /** The property that bounds the size of what it inlines; set in {@link #argfile}. */
  public static String inliningProperty() {
    return (OWN ? "" : "jdk.") + "graal.MaximumInliningSize";
  }
}
