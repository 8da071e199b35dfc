package funnel.jit;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Predicate;
import uk.ac.manchester.tornado.api.TornadoBackend;

/**
 * Makes TornadoVM compile {@code Math.fma} of floats and of doubles to the device's fused
 * multiply-add, on its {@code ptx} and its {@code cuda} backend.
 *
 * <p>TornadoVM alone cannot: it tries to compile the JDK's implementation, which uses {@code
 * BigDecimal}. Its option {@code tornado.enable.fma} fuses every product with a following addition,
 * in all kernels or in none.
 *
 * {@snippet class="funnel.docs.KernelSnippets" region="fma"}
 */
public final class FusedMultiplyAdd {

  /* TornadoVM's compiler, Graal, replaces calls of methods for which a plugin is registered. Both
   * backends have a node for the instruction, by which the phase of tornado.enable.fma replaces a
   * multiplication and an addition. Here two plugins are registered that append that node. Graal
   * takes plugins when it has started already, once for each class that has the methods; a kernel
   * that calls one of them must not have been compiled before.
   *
   * The plugin's class extends one of Graal's and is made at run time, since Funnel is compiled
   * without Graal. Everything else is reflection into packages that tornado.argfile exports, or
   * tornado-6.argfile those of TornadoVM's own copy of Graal.
   */

  private static final String GRAAL = TornadoCompiler.packages() + "nodes.";
  private static final String PLUGINS = GRAAL + "graphbuilderconf.";

  private static final Set<Object> TAUGHT = Collections.newSetFromMap(new IdentityHashMap<>());

  private FusedMultiplyAdd() {}

  /**
   * Registers the plugins with all devices of a backend, unless this has been done.
   *
   * @param backend a backend of TornadoVM
   * @throws IllegalStateException if that is not possible: with another version of TornadoVM, or
   *     without the options of {@code tornado.argfile}
   */
  public static synchronized void teach(TornadoBackend backend) {
    try {
      String className = backend.getClass().getName(); // ...ptx.PTXBackendImpl
      String prefix = className.substring(0, className.length() - "BackendImpl".length());
      int dot = prefix.lastIndexOf('.');
      String nodeName =
          prefix.substring(0, dot) + ".graal.nodes" + prefix.substring(dot) + "FMANode";
      Class<?> value = type(GRAAL + "ValueNode");
      Constructor<?> node =
          Class.forName(nodeName, true, backend.getClass().getClassLoader())
              .getConstructor(value, value, value);
      for (int device = 0; device < backend.getNumDevices(); device++) {
        Object plugins = plugins(backend, device);
        if (!TAUGHT.contains(plugins)) {
          register(plugins, node);
          TAUGHT.add(plugins);
        }
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      throw new IllegalStateException(
          "Math.fma cannot be registered with %s (%s): start with %s, and with a version of TornadoVM that Funnel knows"
              .formatted(backend.getClass().getName(), e, TornadoCompiler.argfile()),
          e);
    }
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName(name, true, ClassLoader.getSystemClassLoader());
  }

  /** Graal's InvocationPlugins of a device. */
  private static Object plugins(TornadoBackend backend, int device)
      throws ReflectiveOperationException {
    Object ofDevice;
    if (backend.getClass().getName().contains(".ptx.")) {
      ofDevice = backend.getClass().getMethod("getBackend", int.class).invoke(backend, device);
    } else {
      ofDevice =
          backend
              .getClass()
              .getMethod("getBackend", int.class, int.class)
              .invoke(backend, 0, device);
    }
    Object providers = ofDevice.getClass().getMethod("getProviders").invoke(ofDevice);
    Object replacements =
        type(GRAAL + "spi.CoreProviders").getMethod("getReplacements").invoke(providers);
    Object plugins =
        type(GRAAL + "spi.Replacements").getMethod("getGraphBuilderPlugins").invoke(replacements);
    return type(PLUGINS + "GraphBuilderConfiguration$Plugins")
        .getMethod("getInvocationPlugins")
        .invoke(plugins);
  }

  private static void register(Object plugins, Constructor<?> node)
      throws ReflectiveOperationException {
    Class<?> plugin = type(PLUGINS + "InvocationPlugin");
    Class<?> registration = type(PLUGINS + "InvocationPlugins$LateRegistration");
    Method register = registration.getMethod("register", plugin);
    Constructor<?> made = Made.PLUGIN.getConstructor(Type[].class, Predicate.class);
    try (AutoCloseable late =
        (AutoCloseable)
            registration
                .getConstructor(type(PLUGINS + "InvocationPlugins"), Type.class)
                .newInstance(plugins, Math.class)) {
      for (Class<?> element : new Class<?>[] {float.class, double.class}) {
        Type[] arguments = {element, element, element};
        register.invoke(late, made.newInstance(arguments, appending(node, element)));
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The plugin's action on the graph's builder and the three operands. */
  private static Predicate<Object[]> appending(Constructor<?> node, Class<?> element)
      throws ReflectiveOperationException {
    Class<?> builder = type(PLUGINS + "GraphBuilderContext");
    Class<?> kinds = type("jdk.vm.ci.meta.JavaKind");
    Object kind = kinds.getMethod("fromJavaClass", Class.class).invoke(null, element);
    Method append = builder.getMethod("append", type(TornadoCompiler.packages() + "graph.Node"));
    Method push = builder.getMethod("push", kinds, type(GRAAL + "ValueNode"));
    return operands -> {
      try {
        Object appended =
            append.invoke(operands[0], node.newInstance(operands[1], operands[2], operands[3]));
        push.invoke(operands[0], kind, appended);
        return true;
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    };
  }

  private static final class Made {
    static final Class<?> PLUGIN = make();

    private static Class<?> make() {
      try {
        return MethodHandles.lookup().defineClass(bytes());
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /**
   * A plugin for a method named fma, which asks a predicate:
   *
   * <pre>{@code
   * public final class FusedMultiplyAddPlugin extends InvocationPlugin {
   *   private final Predicate asked;
   *   public FusedMultiplyAddPlugin(Type[] arguments, Predicate asked) {
   *     super("fma", arguments);
   *     this.asked = asked;
   *   }
   *   public boolean apply(
   *       GraphBuilderContext b, ResolvedJavaMethod m, Receiver r,
   *       ValueNode x, ValueNode y, ValueNode z) {
   *     return asked.test(new Object[] {b, x, y, z});
   *   }
   * }
   * }</pre>
   */
  private static byte[] bytes() {
    ClassDesc self = ClassDesc.of("funnel.jit.FusedMultiplyAddPlugin");
    ClassDesc parent = ClassDesc.of(PLUGINS + "InvocationPlugin");
    ClassDesc predicate = ClassDesc.of("java.util.function.Predicate");
    ClassDesc types = ClassDesc.of("java.lang.reflect.Type").arrayType();
    ClassDesc value = ClassDesc.of(GRAAL + "ValueNode");
    MethodTypeDesc apply =
        MethodTypeDesc.of(
            ConstantDescs.CD_boolean,
            ClassDesc.of(PLUGINS + "GraphBuilderContext"),
            ClassDesc.of("jdk.vm.ci.meta.ResolvedJavaMethod"),
            parent.nested("Receiver"),
            value,
            value,
            value);
    MethodTypeDesc made = MethodTypeDesc.of(ConstantDescs.CD_void, types, predicate);
    MethodTypeDesc parents =
        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String, types);
    MethodTypeDesc test = MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_Object);
    int[] operands = {1, 4, 5, 6};
    return ClassFile.of()
        .build(
            self,
            type ->
                type.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL)
                    .withSuperclass(parent)
                    .withField("asked", predicate, ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL)
                    .withMethodBody(
                        ConstantDescs.INIT_NAME,
                        made,
                        ClassFile.ACC_PUBLIC,
                        code ->
                            code.aload(0)
                                .ldc("fma")
                                .aload(1)
                                .invokespecial(parent, ConstantDescs.INIT_NAME, parents)
                                .aload(0)
                                .aload(2)
                                .putfield(self, "asked", predicate)
                                .return_())
                    .withMethodBody(
                        "apply",
                        apply,
                        ClassFile.ACC_PUBLIC,
                        code -> {
                          code.aload(0).getfield(self, "asked", predicate);
                          code.loadConstant(operands.length).anewarray(ConstantDescs.CD_Object);
                          for (int i = 0; i < operands.length; i++) {
                            code.dup().loadConstant(i).aload(operands[i]).aastore();
                          }
                          code.invokeinterface(predicate, "test", test).ireturn();
                        }));
  }
}
