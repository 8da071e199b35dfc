package funnel.engine.tornado;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
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
      throw Members.otherVersion(ImmutableTaskGraph.class, "the state of an array", null);
    }
    Object state = states.getFirst();
    Class<?> buffered = buffered(graph, state).getClass();
    var _ = Members.method(buffered, "getXPUBuffer", 0);
    var _ = Members.method(buffered, "setXPUBuffer", 1);
    var _ = Members.method(Members.result(state, "getDataObjectState").getClass(), "clear", 0);
    var _ =
        Members.method(
            Members.field(graph(graph).getClass(), "vm").getType(), "destroyExecutionGraphs", 0);
    Class<?> context = Members.result(device(graph), "getDeviceContext").getClass();
    if (context.getSimpleName().startsWith("PTX")) {
      var _ = Members.method(Members.method(context, "getStream", 1).getReturnType(), "reset", 0);
    }
  }

  /** The buffer of an array, which one of the graphs has allocated. */
  static Object get(List<ImmutableTaskGraph> graphs, Object array) {
    for (ImmutableTaskGraph graph : graphs) {
      for (Object state : states(graph, array)) {
        Object buffer = Members.call(buffered(graph, state), "getXPUBuffer");
        if (buffer != null) {
          return buffer;
        }
      }
    }
    throw new IllegalStateException("the device has no memory of an array yet");
  }

  /** The address of a buffer on the device. */
  static long address(Object buffer) {
    return (long) Members.result(buffer, "toBuffer");
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
        var _ = Members.call(buffered(graph, state), "setXPUBuffer", buffer);
      }
    }
  }

  /** Makes the graphs forget the buffers of arrays, so that freeing them does not free these. */
  static void takeOut(List<ImmutableTaskGraph> graphs, Collection<? extends Object> arrays) {
    for (Object array : arrays) {
      for (ImmutableTaskGraph graph : graphs) {
        for (Object state : states(graph, array)) {
          var _ = Members.call(Members.result(state, "getDataObjectState"), "clear");
        }
      }
    }
  }

  /** Makes a graph forget its recording: its next execution records it again. */
  static void forgetRecording(ImmutableTaskGraph graph) {
    var _ = Members.call(Members.field(graph(graph), "vm"), "destroyExecutionGraphs");
  }

  /** Makes the ptx backend forget the events of a graph's plan, all of which have happened. */
  static void forgetEvents(ImmutableTaskGraph graph, long plan) {
    Object context = Members.result(device(graph), "getDeviceContext");
    var _ = Members.call(Members.result(context, "getStream", plan), "reset");
  }

  private static Object device(ImmutableTaskGraph graph) {
    return Members.result(Members.result(graph(graph), "meta"), "getXPUDevice");
  }

  private static Object graph(ImmutableTaskGraph graph) {
    return Members.field(Members.field(graph, "taskGraph"), "taskGraphImpl");
  }

  /** The state of an array in a graph; none if the graph does not use it. */
  private static List<Object> states(ImmutableTaskGraph graph, Object array) {
    List<Object> found = new ArrayList<>();
    Object context = Members.field(graph(graph), "executionContext");
    for (Object state : (Collection<?>) Members.result(context, "getObjectStates")) {
      if (Members.result(state, "getObject") == array) {
        found.add(state);
      }
    }
    return found;
  }

  /** The part of a state that is about the graph's device. */
  private static Object buffered(ImmutableTaskGraph graph, Object state) {
    return Members.result(
        Members.result(state, "getDataObjectState"), "getDeviceBufferState", device(graph));
  }
}
