package uk.ac.manchester.tornado.api;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import uk.ac.manchester.tornado.api.common.TaskPackage;
import uk.ac.manchester.tornado.api.common.TornadoFunctions;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.exceptions.TornadoTaskRuntimeException;

/**
 * Tasks and the copies around them. A statement of signatures: a graph can be built and asked for
 * what it was given, but {@link #snapshot} needs TornadoVM and throws {@link SdkMissing}.
 */
public class TaskGraph implements TaskGraphInterface {
  /** Names of the tasks that {@code task} has added. */
  protected HashSet<String> taskNames = new HashSet<>();

  private final String name;
  /* Funnel's emulator reads this field by its name. */
  private final List<TaskPackage> tasks = new ArrayList<>();
  private final Set<Object> transferred = new HashSet<>();
  private final List<Object> outputs = new ArrayList<>();

  /** An empty graph. */
  public TaskGraph(String name) {
    this.name = name;
  }

  @Override
  public TaskGraph addTask(TaskPackage taskPackage) {
    tasks.add(Objects.requireNonNull(taskPackage));
    return this;
  }

  private TaskGraph named(TaskPackage task) {
    if (!taskNames.add(task.getId())) {
      throw new TornadoTaskRuntimeException(
          "graph %s has a task %s already".formatted(name, task.getId()));
    }
    return addTask(task);
  }

  @Override
  public TaskGraph task(String id, TornadoFunctions.Task code) {
    return named(new TaskPackage(id, code));
  }

  @Override
  public <T1> TaskGraph task(String id, TornadoFunctions.Task1<T1> code, T1 arg1) {
    return named(new TaskPackage(id, code, arg1));
  }

  @Override
  public <T1, T2> TaskGraph task(String id, TornadoFunctions.Task2<T1, T2> code, T1 arg1, T2 arg2) {
    return named(new TaskPackage(id, code, arg1, arg2));
  }

  @Override
  public <T1, T2, T3> TaskGraph task(
      String id, TornadoFunctions.Task3<T1, T2, T3> code, T1 arg1, T2 arg2, T3 arg3) {
    return named(new TaskPackage(id, code, arg1, arg2, arg3));
  }

  @Override
  public <T1, T2, T3, T4> TaskGraph task(
      String id, TornadoFunctions.Task4<T1, T2, T3, T4> code, T1 arg1, T2 arg2, T3 arg3, T4 arg4) {
    return named(new TaskPackage(id, code, arg1, arg2, arg3, arg4));
  }

  @Override
  public <T1, T2, T3, T4, T5> TaskGraph task(
      String id,
      TornadoFunctions.Task5<T1, T2, T3, T4, T5> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5) {
    return named(new TaskPackage(id, code, arg1, arg2, arg3, arg4, arg5));
  }

  @Override
  public <T1, T2, T3, T4, T5, T6> TaskGraph task(
      String id,
      TornadoFunctions.Task6<T1, T2, T3, T4, T5, T6> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6) {
    return named(new TaskPackage(id, code, arg1, arg2, arg3, arg4, arg5, arg6));
  }

  @Override
  public <T1, T2, T3, T4, T5, T6, T7> TaskGraph task(
      String id,
      TornadoFunctions.Task7<T1, T2, T3, T4, T5, T6, T7> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6,
      T7 arg7) {
    return named(new TaskPackage(id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7));
  }

  @Override
  public <T1, T2, T3, T4, T5, T6, T7, T8> TaskGraph task(
      String id,
      TornadoFunctions.Task8<T1, T2, T3, T4, T5, T6, T7, T8> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6,
      T7 arg7,
      T8 arg8) {
    return named(new TaskPackage(id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8));
  }

  @Override
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9> TaskGraph task(
      String id,
      TornadoFunctions.Task9<T1, T2, T3, T4, T5, T6, T7, T8, T9> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6,
      T7 arg7,
      T8 arg8,
      T9 arg9) {
    return named(new TaskPackage(id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9));
  }

  @Override
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> TaskGraph task(
      String id,
      TornadoFunctions.Task10<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6,
      T7 arg7,
      T8 arg8,
      T9 arg9,
      T10 arg10) {
    return named(
        new TaskPackage(id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10));
  }

  @Override
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11> TaskGraph task(
      String id,
      TornadoFunctions.Task11<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6,
      T7 arg7,
      T8 arg8,
      T9 arg9,
      T10 arg10,
      T11 arg11) {
    return named(
        new TaskPackage(
            id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11));
  }

  @Override
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12> TaskGraph task(
      String id,
      TornadoFunctions.Task12<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6,
      T7 arg7,
      T8 arg8,
      T9 arg9,
      T10 arg10,
      T11 arg11,
      T12 arg12) {
    return named(
        new TaskPackage(
            id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12));
  }

  @Override
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13> TaskGraph task(
      String id,
      TornadoFunctions.Task13<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6,
      T7 arg7,
      T8 arg8,
      T9 arg9,
      T10 arg10,
      T11 arg11,
      T12 arg12,
      T13 arg13) {
    return named(
        new TaskPackage(
            id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12,
            arg13));
  }

  @Override
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14> TaskGraph task(
      String id,
      TornadoFunctions.Task14<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6,
      T7 arg7,
      T8 arg8,
      T9 arg9,
      T10 arg10,
      T11 arg11,
      T12 arg12,
      T13 arg13,
      T14 arg14) {
    return named(
        new TaskPackage(
            id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12,
            arg13, arg14));
  }

  @Override
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15> TaskGraph task(
      String id,
      TornadoFunctions.Task15<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15>
          code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6,
      T7 arg7,
      T8 arg8,
      T9 arg9,
      T10 arg10,
      T11 arg11,
      T12 arg12,
      T13 arg13,
      T14 arg14,
      T15 arg15) {
    return named(
        new TaskPackage(
            id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12,
            arg13, arg14, arg15));
  }

  @Override
  public String getTaskGraphName() {
    return name;
  }

  @Override
  public TaskGraph transferToDevice(int mode, Object... objects) {
    for (Object object : objects) {
      requireNonNull(object);
      if (!(object instanceof Number)) {
        transferred.add(object);
      }
    }
    return this;
  }

  @Override
  public TaskGraph consumeFromDevice(String uniqueTaskGraphName, Object... objects) {
    for (Object object : objects) {
      requireNonNull(object);
      requireNoScalar(object);
      transferred.add(object);
    }
    return this;
  }

  @Override
  public TaskGraph consumeFromDevice(Object... objects) {
    return consumeFromDevice(name, objects);
  }

  @Override
  public TaskGraph transferToHost(int mode, Object... objects) {
    for (Object object : objects) {
      requireNonNull(object);
      if (!(object instanceof AtomicInteger)) {
        requireNoScalar(object);
      }
      transferred.add(object);
      if (mode != DataTransferMode.UNDER_DEMAND) {
        outputs.add(object);
      }
    }
    return this;
  }

  @Override
  public TaskGraph persistOnDevice(Object... objects) {
    return transferToHost(DataTransferMode.UNDER_DEMAND, objects);
  }

  private void requireNonNull(Object object) {
    if (object == null) {
      throw new TornadoRuntimeException("null given to graph %s for a transfer".formatted(name));
    }
  }

  private void requireNoScalar(Object object) {
    if (object instanceof Number) {
      throw new TornadoRuntimeException(
          "scalar %s given to graph %s for a transfer".formatted(object, name));
    }
  }

  /** Always throws {@link SdkMissing}. */
  @Override
  public ImmutableTaskGraph snapshot() {
    throw new SdkMissing();
  }

  /** Everything that was named in a transfer. */
  public Set<Object> getArgumentsLookup() {
    return transferred;
  }

  /** What the tasks' results are copied to at every execution. */
  public Collection<?> getOutputs() {
    return outputs;
  }
}
