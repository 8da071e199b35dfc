package funnel.engine.tornado;

import funnel.engine.device.DeviceContext;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The device memory of arrays in TornadoVM's graphs, which graphs of several plans may share. */
final class GraphBuffers {

  /* A graph has a state for each of its arrays, with the array's buffer for each device. Within a
   * plan, a graph takes the buffers of the arrays that it consumes from the graph that was executed
   * before. TornadoVM's API has no such thing between plans, but its graphs only look at their
   * states. So a buffer is put into them, and taken out again before the graphs are freed. A launch
   * has the address that it finds there, and a recording the one that was there when it was made.
   */

  private record Name(Class<?> of, String name, int parameters) {}

  /** What was found in classes: finding takes longer than using. */
  private static final Map<Name, AccessibleObject> MEMBERS = new ConcurrentHashMap<>();

  private GraphBuffers() {}

  /**
   * Looks for everything that the methods below use.
   *
   * @throws IllegalStateException if this TornadoVM lacks any of it
   */
  static void require() {
    IntArray array = new IntArray(1);
    TaskGraph declared = new TaskGraph("funnelRequired");
    declared.transferToDevice(DataTransferMode.EVERY_EXECUTION, array);
    ImmutableTaskGraph graph = declared.snapshot();
    List<Object> states = states(graph, array);
    if (states.isEmpty()) {
      throw otherVersion(ImmutableTaskGraph.class, "the state of an array", null);
    }
    Object state = states.getFirst();
    Class<?> buffered = buffered(graph, state).getClass();
    var _ = method(buffered, "getXPUBuffer", 0);
    var _ = method(buffered, "setXPUBuffer", 1);
    var _ = method(result(state, "getDataObjectState").getClass(), "clear", 0);
    var _ = method(field(graph(graph).getClass(), "vm").getType(), "destroyExecutionGraphs", 0);
    Class<?> context = result(device(graph), "getDeviceContext").getClass();
    if (context.getSimpleName().startsWith("PTX")) {
      var _ = method(method(context, "getStream", 1).getReturnType(), "reset", 0);
    }
  }

  /** The buffer of an array, which one of the graphs has allocated. */
  static Object get(List<ImmutableTaskGraph> graphs, Object array) {
    for (ImmutableTaskGraph graph : graphs) {
      for (Object state : states(graph, array)) {
        Object buffer = call(buffered(graph, state), "getXPUBuffer");
        if (buffer != null) {
          return buffer;
        }
      }
    }
    throw new IllegalStateException("the device has no memory of an array yet");
  }

  /** The address of a buffer on the device. */
  static long address(Object buffer) {
    return (long) result(buffer, "toBuffer");
  }

  /** Makes the graphs use buffers, by arrays, that another plan has allocated on their device. */
  static void put(List<ImmutableTaskGraph> graphs, Map<?, ? extends @Nullable Object> buffers) {
    buffers.forEach(
        (array, buffer) -> {
          if (buffer != null) {
            put(graphs, array, buffer);
          }
        });
  }

  /** Makes the graphs use a buffer for an array. */
  static void put(List<ImmutableTaskGraph> graphs, Object array, Object buffer) {
    for (ImmutableTaskGraph graph : graphs) {
      for (Object state : states(graph, array)) {
        var _ = call(buffered(graph, state), "setXPUBuffer", buffer);
      }
    }
  }

  /** Makes the graphs forget the buffers of arrays, so that freeing them does not free these. */
  static void takeOut(List<ImmutableTaskGraph> graphs, Collection<? extends Object> arrays) {
    for (Object array : arrays) {
      for (ImmutableTaskGraph graph : graphs) {
        for (Object state : states(graph, array)) {
          var _ = call(result(state, "getDataObjectState"), "clear");
        }
      }
    }
  }

  /** Makes a graph forget its recording: its next execution records it again. */
  static void forgetRecording(ImmutableTaskGraph graph) {
    var _ = call(field(graph(graph), "vm"), "destroyExecutionGraphs");
  }

  /** Makes the ptx backend forget the events of a graph's plan, all of which have happened. */
  static void forgetEvents(ImmutableTaskGraph graph, long plan) {
    Object context = result(device(graph), "getDeviceContext");
    var _ = call(result(context, "getStream", plan), "reset");
  }

  private static Object device(ImmutableTaskGraph graph) {
    return result(result(graph(graph), "meta"), "getXPUDevice");
  }

  private static Object graph(ImmutableTaskGraph graph) {
    return field(field(graph, "taskGraph"), "taskGraphImpl");
  }

  /** The state of an array in a graph; none if the graph does not use it. */
  private static List<Object> states(ImmutableTaskGraph graph, Object array) {
    List<Object> found = new ArrayList<>();
    Object context = field(graph(graph), "executionContext");
    for (Object state : (Collection<?>) result(context, "getObjectStates")) {
      if (result(state, "getObject") == array) {
        found.add(state);
      }
    }
    return found;
  }

  /** The part of a state that is about the graph's device. */
  private static Object buffered(ImmutableTaskGraph graph, Object state) {
    return result(result(state, "getDataObjectState"), "getDeviceBufferState", device(graph));
  }

  private static Object field(Object of, String name) {
    Field field = field(of.getClass(), name);
    return used(of, name, () -> Objects.requireNonNull(field.get(of), name));
  }

  private static Field field(Class<?> of, String name) {
    return (Field)
        MEMBERS.computeIfAbsent(
            new Name(of, name, -1),
            _ ->
                first(
                    of,
                    type ->
                        Stream.of(type.getDeclaredFields())
                            .filter(each -> each.getName().equals(name)),
                    name));
  }

  private static Object result(Object of, String name, Object... arguments) {
    return Objects.requireNonNull(call(of, name, arguments), name);
  }

  private static @Nullable Object call(Object of, String name, Object... arguments) {
    Method method = method(of.getClass(), name, arguments.length);
    return used(of, name, () -> method.invoke(of, arguments));
  }

  private static Method method(Class<?> of, String name, int parameters) {
    return (Method)
        MEMBERS.computeIfAbsent(
            new Name(of, name, parameters),
            _ ->
                first(
                    of,
                    type ->
                        Stream.of(type.getDeclaredMethods())
                            .filter(each -> each.getName().equals(name) && !each.isBridge())
                            .filter(each -> each.getParameterCount() == parameters),
                    name));
  }

  private interface Use<R extends @Nullable Object> {
    R make() throws ReflectiveOperationException;
  }

  private static <R extends @Nullable Object> R used(Object of, String name, Use<R> use) {
    try {
      return use.make();
    } catch (ReflectiveOperationException e) {
      throw otherVersion(of.getClass(), name, e);
    }
  }

  /** The first such member of a class or of the classes above it. */
  private static <M extends AccessibleObject> M first(
      Class<?> of, Function<Class<?>, Stream<M>> members, String name) {
    try {
      for (Class<?> type = of; type != null; type = type.getSuperclass()) {
        Optional<M> member = members.apply(type).findFirst();
        if (member.isPresent()) {
          member.get().setAccessible(true);
          return member.get();
        }
      }
      throw new NoSuchFieldException(name);
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      throw otherVersion(of, name, e);
    }
  }

  private static IllegalStateException otherVersion(
      Class<?> of, String name, @Nullable Exception e) {
    return new IllegalStateException(
        "large and kept arrays need another version of TornadoVM: %s of %s cannot be used (%s)"
            .formatted(name, of.getName(), e == null ? "there is none" : DeviceContext.reason(e)),
        e);
  }
}
