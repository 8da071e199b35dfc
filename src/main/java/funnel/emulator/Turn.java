package funnel.emulator;

/** A thread's access to global memory that it has not made yet. */
record Turn(int thread, Access.Kind kind, Object array, int index) {}
