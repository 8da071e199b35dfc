package uk.ac.manchester.tornado.api.enums;

/** What the profiler does with its results. A statement of signatures. */
public enum ProfilerMode {
  /** Prints them. */
  CONSOLE,
  /** Keeps them to be asked for. */
  SILENT
}
