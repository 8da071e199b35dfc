package funnel.emulator;

/** What the copy of a kernel reports in addition to what every copy reports. */
enum Watch {
  /** Nothing. */
  NOTHING,
  /** Reads and writes of arrays on the heap, for races in local memory. */
  LOCAL_MEMORY,
  /** Reads and writes of TornadoVM's arrays, at each of which another thread may run. */
  GLOBAL_MEMORY
}
