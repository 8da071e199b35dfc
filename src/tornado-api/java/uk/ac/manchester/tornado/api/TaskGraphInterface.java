package uk.ac.manchester.tornado.api;

import uk.ac.manchester.tornado.api.common.TaskPackage;
import uk.ac.manchester.tornado.api.common.TornadoFunctions;

/** What a task graph can be asked. A statement of signatures. */
public interface TaskGraphInterface {

  /** Adds a task. */
  TaskGraphInterface addTask(TaskPackage taskPackage);

  /** Adds a task of 0 arguments. */
  TaskGraphInterface task(String id, TornadoFunctions.Task code);

  /** Adds a task of 1 argument. */
  <T1> TaskGraphInterface task(String id, TornadoFunctions.Task1<T1> code, T1 arg1);

  /** Adds a task of 2 arguments. */
  <T1, T2> TaskGraphInterface task(
      String id, TornadoFunctions.Task2<T1, T2> code, T1 arg1, T2 arg2);

  /** Adds a task of 3 arguments. */
  <T1, T2, T3> TaskGraphInterface task(
      String id, TornadoFunctions.Task3<T1, T2, T3> code, T1 arg1, T2 arg2, T3 arg3);

  /** Adds a task of 4 arguments. */
  <T1, T2, T3, T4> TaskGraphInterface task(
      String id, TornadoFunctions.Task4<T1, T2, T3, T4> code, T1 arg1, T2 arg2, T3 arg3, T4 arg4);

  /** Adds a task of 5 arguments. */
  <T1, T2, T3, T4, T5> TaskGraphInterface task(
      String id,
      TornadoFunctions.Task5<T1, T2, T3, T4, T5> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5);

  /** Adds a task of 6 arguments. */
  <T1, T2, T3, T4, T5, T6> TaskGraphInterface task(
      String id,
      TornadoFunctions.Task6<T1, T2, T3, T4, T5, T6> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6);

  /** Adds a task of 7 arguments. */
  <T1, T2, T3, T4, T5, T6, T7> TaskGraphInterface task(
      String id,
      TornadoFunctions.Task7<T1, T2, T3, T4, T5, T6, T7> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6,
      T7 arg7);

  /** Adds a task of 8 arguments. */
  <T1, T2, T3, T4, T5, T6, T7, T8> TaskGraphInterface task(
      String id,
      TornadoFunctions.Task8<T1, T2, T3, T4, T5, T6, T7, T8> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6,
      T7 arg7,
      T8 arg8);

  /** Adds a task of 9 arguments. */
  <T1, T2, T3, T4, T5, T6, T7, T8, T9> TaskGraphInterface task(
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
      T9 arg9);

  /** Adds a task of 10 arguments. */
  <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> TaskGraphInterface task(
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
      T10 arg10);

  /** Adds a task of 11 arguments. */
  <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11> TaskGraphInterface task(
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
      T11 arg11);

  /** Adds a task of 12 arguments. */
  <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12> TaskGraphInterface task(
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
      T12 arg12);

  /** Adds a task of 13 arguments. */
  <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13> TaskGraphInterface task(
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
      T13 arg13);

  /** Adds a task of 14 arguments. */
  <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14> TaskGraphInterface task(
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
      T14 arg14);

  /** Adds a task of 15 arguments. */
  <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15> TaskGraphInterface task(
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
      T15 arg15);

  /** The graph's name. */
  String getTaskGraphName();

  /** Asks for copies to the device before the tasks. */
  TaskGraphInterface transferToDevice(int mode, Object... objects);

  /** Takes over what another graph has kept on the device. */
  TaskGraph consumeFromDevice(String uniqueTaskGraphName, Object... objects);

  /** Takes over what the graph before has kept on the device. */
  TaskGraph consumeFromDevice(Object... objects);

  /** Asks for copies to the host after the tasks. */
  TaskGraphInterface transferToHost(int mode, Object... objects);

  /** Keeps objects on the device for other graphs. */
  TaskGraph persistOnDevice(Object... objects);

  /** The graph as it is now, frozen. */
  ImmutableTaskGraph snapshot();
}
