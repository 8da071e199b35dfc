package uk.ac.manchester.tornado.api.common;

/** A task's name, its code and its arguments. A statement of signatures. */
public class TaskPackage {
  private final String id;
  private final int taskType;
  private final Object[] taskParameters;
  private long numThreadsToRun;

  /** A task of 0 arguments. */
  public TaskPackage(String id, TornadoFunctions.Task code) {
    this(id, 0, new Object[] {code});
  }

  /** A task of 1 argument. */
  public <T1> TaskPackage(String id, TornadoFunctions.Task1<T1> code, T1 arg1) {
    this(id, 1, new Object[] {code, arg1});
  }

  /** A task of 2 arguments. */
  public <T1, T2> TaskPackage(String id, TornadoFunctions.Task2<T1, T2> code, T1 arg1, T2 arg2) {
    this(id, 2, new Object[] {code, arg1, arg2});
  }

  /** A task of 3 arguments. */
  public <T1, T2, T3> TaskPackage(
      String id, TornadoFunctions.Task3<T1, T2, T3> code, T1 arg1, T2 arg2, T3 arg3) {
    this(id, 3, new Object[] {code, arg1, arg2, arg3});
  }

  /** A task of 4 arguments. */
  public <T1, T2, T3, T4> TaskPackage(
      String id, TornadoFunctions.Task4<T1, T2, T3, T4> code, T1 arg1, T2 arg2, T3 arg3, T4 arg4) {
    this(id, 4, new Object[] {code, arg1, arg2, arg3, arg4});
  }

  /** A task of 5 arguments. */
  public <T1, T2, T3, T4, T5> TaskPackage(
      String id,
      TornadoFunctions.Task5<T1, T2, T3, T4, T5> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5) {
    this(id, 5, new Object[] {code, arg1, arg2, arg3, arg4, arg5});
  }

  /** A task of 6 arguments. */
  public <T1, T2, T3, T4, T5, T6> TaskPackage(
      String id,
      TornadoFunctions.Task6<T1, T2, T3, T4, T5, T6> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6) {
    this(id, 6, new Object[] {code, arg1, arg2, arg3, arg4, arg5, arg6});
  }

  /** A task of 7 arguments. */
  public <T1, T2, T3, T4, T5, T6, T7> TaskPackage(
      String id,
      TornadoFunctions.Task7<T1, T2, T3, T4, T5, T6, T7> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6,
      T7 arg7) {
    this(id, 7, new Object[] {code, arg1, arg2, arg3, arg4, arg5, arg6, arg7});
  }

  /** A task of 8 arguments. */
  public <T1, T2, T3, T4, T5, T6, T7, T8> TaskPackage(
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
    this(id, 8, new Object[] {code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8});
  }

  /** A task of 9 arguments. */
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9> TaskPackage(
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
    this(id, 9, new Object[] {code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9});
  }

  /** A task of 10 arguments. */
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> TaskPackage(
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
    this(id, 10, new Object[] {code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10});
  }

  /** A task of 11 arguments. */
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11> TaskPackage(
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
    this(
        id,
        11,
        new Object[] {code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11});
  }

  /** A task of 12 arguments. */
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12> TaskPackage(
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
    this(
        id,
        12,
        new Object[] {
          code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12
        });
  }

  /** A task of 13 arguments. */
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13> TaskPackage(
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
    this(
        id,
        13,
        new Object[] {
          code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13
        });
  }

  /** A task of 14 arguments. */
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14> TaskPackage(
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
    this(
        id,
        14,
        new Object[] {
          code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13,
          arg14
        });
  }

  /** A task of 15 arguments. */
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15> TaskPackage(
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
    this(
        id,
        15,
        new Object[] {
          code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13,
          arg14, arg15
        });
  }

  /** A task of 16 arguments. */
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16> TaskPackage(
      String id,
      TornadoFunctions.Task16<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16>
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
      T15 arg15,
      T16 arg16) {
    this(
        id,
        16,
        new Object[] {
          code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13,
          arg14, arg15, arg16
        });
  }

  /** A task of 17 arguments. */
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17> TaskPackage(
      String id,
      TornadoFunctions.Task17<
              T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17>
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
      T15 arg15,
      T16 arg16,
      T17 arg17) {
    this(
        id,
        17,
        new Object[] {
          code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13,
          arg14, arg15, arg16, arg17
        });
  }

  /** A task of 18 arguments. */
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18>
      TaskPackage(
          String id,
          TornadoFunctions.Task18<
                  T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18>
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
          T15 arg15,
          T16 arg16,
          T17 arg17,
          T18 arg18) {
    this(
        id,
        18,
        new Object[] {
          code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13,
          arg14, arg15, arg16, arg17, arg18
        });
  }

  /** A task of 19 arguments. */
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18, T19>
      TaskPackage(
          String id,
          TornadoFunctions.Task19<
                  T1,
                  T2,
                  T3,
                  T4,
                  T5,
                  T6,
                  T7,
                  T8,
                  T9,
                  T10,
                  T11,
                  T12,
                  T13,
                  T14,
                  T15,
                  T16,
                  T17,
                  T18,
                  T19>
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
          T15 arg15,
          T16 arg16,
          T17 arg17,
          T18 arg18,
          T19 arg19) {
    this(
        id,
        19,
        new Object[] {
          code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13,
          arg14, arg15, arg16, arg17, arg18, arg19
        });
  }

  /** A task of 20 arguments. */
  public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18, T19, T20>
      TaskPackage(
          String id,
          TornadoFunctions.Task20<
                  T1,
                  T2,
                  T3,
                  T4,
                  T5,
                  T6,
                  T7,
                  T8,
                  T9,
                  T10,
                  T11,
                  T12,
                  T13,
                  T14,
                  T15,
                  T16,
                  T17,
                  T18,
                  T19,
                  T20>
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
          T15 arg15,
          T16 arg16,
          T17 arg17,
          T18 arg18,
          T19 arg19,
          T20 arg20) {
    this(
        id,
        20,
        new Object[] {
          code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13,
          arg14, arg15, arg16, arg17, arg18, arg19, arg20
        });
  }

  private TaskPackage(String id, int taskType, Object[] taskParameters) {
    this.id = id;
    this.taskType = taskType;
    this.taskParameters = taskParameters;
  }

  /** A task of 0 arguments. */
  public static TaskPackage createPackage(String id, TornadoFunctions.Task code) {
    return new TaskPackage(id, code);
  }

  /** A task of 1 argument. */
  public static <T1> TaskPackage createPackage(
      String id, TornadoFunctions.Task1<T1> code, T1 arg1) {
    return new TaskPackage(id, code, arg1);
  }

  /** A task of 2 arguments. */
  public static <T1, T2> TaskPackage createPackage(
      String id, TornadoFunctions.Task2<T1, T2> code, T1 arg1, T2 arg2) {
    return new TaskPackage(id, code, arg1, arg2);
  }

  /** A task of 3 arguments. */
  public static <T1, T2, T3> TaskPackage createPackage(
      String id, TornadoFunctions.Task3<T1, T2, T3> code, T1 arg1, T2 arg2, T3 arg3) {
    return new TaskPackage(id, code, arg1, arg2, arg3);
  }

  /** A task of 4 arguments. */
  public static <T1, T2, T3, T4> TaskPackage createPackage(
      String id, TornadoFunctions.Task4<T1, T2, T3, T4> code, T1 arg1, T2 arg2, T3 arg3, T4 arg4) {
    return new TaskPackage(id, code, arg1, arg2, arg3, arg4);
  }

  /** A task of 5 arguments. */
  public static <T1, T2, T3, T4, T5> TaskPackage createPackage(
      String id,
      TornadoFunctions.Task5<T1, T2, T3, T4, T5> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5) {
    return new TaskPackage(id, code, arg1, arg2, arg3, arg4, arg5);
  }

  /** A task of 6 arguments. */
  public static <T1, T2, T3, T4, T5, T6> TaskPackage createPackage(
      String id,
      TornadoFunctions.Task6<T1, T2, T3, T4, T5, T6> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6) {
    return new TaskPackage(id, code, arg1, arg2, arg3, arg4, arg5, arg6);
  }

  /** A task of 7 arguments. */
  public static <T1, T2, T3, T4, T5, T6, T7> TaskPackage createPackage(
      String id,
      TornadoFunctions.Task7<T1, T2, T3, T4, T5, T6, T7> code,
      T1 arg1,
      T2 arg2,
      T3 arg3,
      T4 arg4,
      T5 arg5,
      T6 arg6,
      T7 arg7) {
    return new TaskPackage(id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7);
  }

  /** A task of 8 arguments. */
  public static <T1, T2, T3, T4, T5, T6, T7, T8> TaskPackage createPackage(
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
    return new TaskPackage(id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8);
  }

  /** A task of 9 arguments. */
  public static <T1, T2, T3, T4, T5, T6, T7, T8, T9> TaskPackage createPackage(
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
    return new TaskPackage(id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9);
  }

  /** A task of 10 arguments. */
  public static <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> TaskPackage createPackage(
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
    return new TaskPackage(id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10);
  }

  /** A task of 11 arguments. */
  public static <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11> TaskPackage createPackage(
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
    return new TaskPackage(
        id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11);
  }

  /** A task of 12 arguments. */
  public static <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12> TaskPackage createPackage(
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
    return new TaskPackage(
        id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12);
  }

  /** A task of 13 arguments. */
  public static <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13> TaskPackage createPackage(
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
    return new TaskPackage(
        id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13);
  }

  /** A task of 14 arguments. */
  public static <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14>
      TaskPackage createPackage(
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
    return new TaskPackage(
        id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13,
        arg14);
  }

  /** A task of 15 arguments. */
  public static <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15>
      TaskPackage createPackage(
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
    return new TaskPackage(
        id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13,
        arg14, arg15);
  }

  /** A task of 16 arguments. */
  public static <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16>
      TaskPackage createPackage(
          String id,
          TornadoFunctions.Task16<
                  T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16>
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
          T15 arg15,
          T16 arg16) {
    return new TaskPackage(
        id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13,
        arg14, arg15, arg16);
  }

  /** A task of 17 arguments. */
  public static <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17>
      TaskPackage createPackage(
          String id,
          TornadoFunctions.Task17<
                  T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17>
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
          T15 arg15,
          T16 arg16,
          T17 arg17) {
    return new TaskPackage(
        id, code, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12, arg13,
        arg14, arg15, arg16, arg17);
  }

  /** The task's name. */
  public String getId() {
    return id;
  }

  /** The number of the task's arguments. */
  public int getTaskType() {
    return taskType;
  }

  /** The number of threads asked for, 0 for as many as TornadoVM chooses. */
  public long getNumThreadsToRun() {
    return numThreadsToRun;
  }

  /** Asks for a number of threads. */
  public void setNumThreadsToRun(long numThreads) {
    numThreadsToRun = numThreads;
  }

  /** The code, then the arguments. */
  public Object[] getTaskParameters() {
    return taskParameters;
  }

  /** Whether the task is text for a device; never here. */
  public boolean isPrebuiltTask() {
    return false;
  }
}
