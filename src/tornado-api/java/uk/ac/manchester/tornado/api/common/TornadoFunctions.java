package uk.ac.manchester.tornado.api.common;

/** The functional interfaces of tasks, by number of arguments. A statement of signatures. */
public final class TornadoFunctions {

  /** A task of no arguments. */
  @FunctionalInterface
  public interface Task {
    /** Runs the task. */
    void apply();
  }

  /** A task of 1 argument. */
  @FunctionalInterface
  public interface Task1<T1> {
    /** Runs the task. */
    void apply(T1 arg1);
  }

  /** A task of 2 arguments. */
  @FunctionalInterface
  public interface Task2<T1, T2> {
    /** Runs the task. */
    void apply(T1 arg1, T2 arg2);
  }

  /** A task of 3 arguments. */
  @FunctionalInterface
  public interface Task3<T1, T2, T3> {
    /** Runs the task. */
    void apply(T1 arg1, T2 arg2, T3 arg3);
  }

  /** A task of 4 arguments. */
  @FunctionalInterface
  public interface Task4<T1, T2, T3, T4> {
    /** Runs the task. */
    void apply(T1 arg1, T2 arg2, T3 arg3, T4 arg4);
  }

  /** A task of 5 arguments. */
  @FunctionalInterface
  public interface Task5<T1, T2, T3, T4, T5> {
    /** Runs the task. */
    void apply(T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5);
  }

  /** A task of 6 arguments. */
  @FunctionalInterface
  public interface Task6<T1, T2, T3, T4, T5, T6> {
    /** Runs the task. */
    void apply(T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6);
  }

  /** A task of 7 arguments. */
  @FunctionalInterface
  public interface Task7<T1, T2, T3, T4, T5, T6, T7> {
    /** Runs the task. */
    void apply(T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7);
  }

  /** A task of 8 arguments. */
  @FunctionalInterface
  public interface Task8<T1, T2, T3, T4, T5, T6, T7, T8> {
    /** Runs the task. */
    void apply(T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8);
  }

  /** A task of 9 arguments. */
  @FunctionalInterface
  public interface Task9<T1, T2, T3, T4, T5, T6, T7, T8, T9> {
    /** Runs the task. */
    void apply(T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8, T9 arg9);
  }

  /** A task of 10 arguments. */
  @FunctionalInterface
  public interface Task10<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> {
    /** Runs the task. */
    void apply(
        T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5, T6 arg6, T7 arg7, T8 arg8, T9 arg9, T10 arg10);
  }

  /** A task of 11 arguments. */
  @FunctionalInterface
  public interface Task11<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11> {
    /** Runs the task. */
    void apply(
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
  }

  /** A task of 12 arguments. */
  @FunctionalInterface
  public interface Task12<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12> {
    /** Runs the task. */
    void apply(
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
  }

  /** A task of 13 arguments. */
  @FunctionalInterface
  public interface Task13<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13> {
    /** Runs the task. */
    void apply(
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
  }

  /** A task of 14 arguments. */
  @FunctionalInterface
  public interface Task14<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14> {
    /** Runs the task. */
    void apply(
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
  }

  /** A task of 15 arguments. */
  @FunctionalInterface
  public interface Task15<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15> {
    /** Runs the task. */
    void apply(
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
  }

  /** A task of 16 arguments. */
  @FunctionalInterface
  public interface Task16<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16> {
    /** Runs the task. */
    void apply(
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
        T16 arg16);
  }

  /** A task of 17 arguments. */
  @FunctionalInterface
  public interface Task17<
      T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17> {
    /** Runs the task. */
    void apply(
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
        T17 arg17);
  }

  /** A task of 18 arguments. */
  @FunctionalInterface
  public interface Task18<
      T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18> {
    /** Runs the task. */
    void apply(
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
        T18 arg18);
  }

  /** A task of 19 arguments. */
  @FunctionalInterface
  public interface Task19<
      T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18, T19> {
    /** Runs the task. */
    void apply(
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
        T19 arg19);
  }

  /** A task of 20 arguments. */
  @FunctionalInterface
  public interface Task20<
      T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18, T19, T20> {
    /** Runs the task. */
    void apply(
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
        T20 arg20);
  }
}
