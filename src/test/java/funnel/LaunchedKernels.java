package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import funnel.engine.Program;
import funnel.engine.device.ProgramArrays;
import funnel.engine.device.ProgramFacts;
import funnel.kernel.KernelTask;
import funnel.operation.Launches;
import funnel.operation.Leaves;
import funnel.operation.Step;
import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** The kernels that programs launch, by class and name, compared with those that there are. */
public final class LaunchedKernels {

  private static final int MOST_PARAMETERS = 20; // of a task of TornadoVM's

  /** Kernels that write no array that they are given again, or only a counter in it. */
  private static final Pattern READ_TWICE =
      Pattern.compile(
          ".*(ScatterReduceKernels.combine|ReductionKernels.(rows|orderedRows)|SelectKernels.tiles"
              + "|SortedSearchKernels.search"
              + "|ElementwiseKernels.apply|MergeKernels.(split|merge)|ValueKernels.compute)");

  private static final Pattern COPY = Pattern.compile("\\$copy[^.]*");

  /** Reductions to a wider type are sums, which are in no order. */
  static final String UNUSED =
      "(Byte|Int|Long|Float)ToDoubleReductionKernels\\.ordered.*"
          + "|(Byte|Int)ToLongReductionKernels\\.ordered.*"
          + "|MissKernels.*"; // of functions with arrays, which LookUpContract runs

  /** Probes, rules of compilers, a demonstration, and masters of floating-point kernels alone. */
  private static final String NO_OPERATIONS =
      "funnel\\.(emulator|suite|lessons\\.Race|engine\\.tornado\\.AtomicsProbe|(heat|lessons)\\.IntHeat).*";

  /** Methods by the classes of references to them. */
  private static final Map<Class<?>, String> METHODS = new ConcurrentHashMap<>();

  private final Set<String> launched = new TreeSet<>();

  /**
   * Binds the arguments of all launches, which fails where a parameter has none.
   *
   * @return whether there is a kernel among them that was not launched before
   */
  public boolean add(Program program, Map<String, TornadoNativeArray> bound) {
    int before = launched.size();
    ProgramArrays arrays = ProgramFacts.arrays(program, bound);
    for (Step step : program.steps()) {
      Leaves.each(
          step, arrays.shapeAt(step), arrays, (leaf, at) -> requireStated(leaf, at, arrays));
      List<KernelTask> tasks = arrays.tasks(step);
      for (KernelTask task : tasks) {
        if (bound.isEmpty()) {
          requireEachArrayOnce(task);
        }
        launched.add(kernel(task.code()));
      }
    }
    return launched.size() > before;
  }

  /** A missing int at the end is no gap: kernels would read an int of the next step there. */
  private static void requireStated(Step step, int shapeAt, ProgramArrays arrays) {
    int stated = step.shape(arrays).length;
    Launches launches = Launches.of(step, arrays, shapeAt);
    step.launch(launches);
    for (KernelTask task : launches.tasks()) {
      for (int at : ReadInts.of(kernel(task.code()))) {
        boolean isOwn = !task.id().contains("_lengthOf_");
        assertTrue(
            !isOwn || at < stated, () -> "int %s of %s: %s".formatted(at, stated, task.id()));
      }
    }
  }

  /**
   * TornadoVM plans a graph for ever in which a task has an array at two parameters of which it
   * writes the first.
   */
  private static void requireEachArrayOnce(KernelTask task) {
    List<Object> given =
        task.arguments().stream().filter(TornadoNativeArray.class::isInstance).toList();
    Set<Object> different = Collections.newSetFromMap(new IdentityHashMap<>());
    different.addAll(given);
    if (given.size() > different.size()) {
      String kernel = kernel(task.code());
      assertTrue(
          READ_TWICE.matcher(kernel).matches(),
          () -> "an array twice in %s, %s".formatted(task.id(), kernel));
    }
  }

  private static String kernel(Serializable code) {
    return COPY.matcher(method(code)).replaceFirst("");
  }

  /** A kernel's method, by class and name, where copies of a class are other classes. */
  static String method(Serializable code) {
    return METHODS.computeIfAbsent(code.getClass(), _ -> find(code));
  }

  private static String find(Serializable code) {
    try {
      Method writeReplace = code.getClass().getDeclaredMethod("writeReplace");
      writeReplace.setAccessible(true);
      SerializedLambda lambda = (SerializedLambda) writeReplace.invoke(code);
      return lambda.getImplClass().replace('/', '.') + "." + lambda.getImplMethodName();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("no kernel behind " + code.getClass(), e);
    }
  }

  private static boolean isKernel(JavaMethod method) {
    List<JavaClass> parameters = method.getRawParameterTypes();
    return method.getModifiers().contains(JavaModifier.STATIC)
        && !method.getModifiers().contains(JavaModifier.PRIVATE)
        && method.getRawReturnType().isEquivalentTo(void.class)
        && !parameters.isEmpty()
        && parameters.getFirst().isEquivalentTo(KernelContext.class);
  }

  /** All kernels of operations that are delivered and used, by class and name. */
  public static Set<String> shipped() {
    Set<String> all = new TreeSet<>();
    for (JavaClass type : MainClasses.ALL) {
      for (JavaMethod method : type.getMethods()) {
        String name = type.getSimpleName() + "." + method.getName();
        if (isKernel(method)
            && !type.getFullName().matches(NO_OPERATIONS)
            && !name.matches(UNUSED)) {
          all.add(type.getFullName() + "." + method.getName());
        }
      }
    }
    return all;
  }

  /**
   * Fails unless all kernels of some packages were launched, and no others.
   *
   * @param without class and name of kernels that no program launches, a regular expression
   * @param packages the packages
   */
  public void requireAll(String without, String... packages) {
    Set<String> all = new TreeSet<>();
    for (JavaClass type : MainClasses.ALL) {
      if (List.of(packages).contains(type.getPackageName())) {
        for (JavaMethod method : type.getMethods()) {
          String name = type.getSimpleName() + "." + method.getName();
          if (isKernel(method) && !name.matches(without)) {
            all.add(type.getPackageName() + "." + name);
            int parameters = method.getRawParameterTypes().size();
            assertEquals(parameters, Math.min(parameters, MOST_PARAMETERS), method.getFullName());
          }
        }
      }
    }
    Set<String> others = new TreeSet<>(launched);
    others.removeAll(all);
    all.removeAll(launched);
    assertEquals(Set.of(), all, "kernels that were not launched");
    assertEquals(Set.of(), others, "what was launched and is no kernel of theirs");
  }
}
