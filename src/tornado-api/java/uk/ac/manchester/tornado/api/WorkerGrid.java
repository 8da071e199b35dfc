package uk.ac.manchester.tornado.api;

/** Threads of a launch, by dimension. A statement of signatures. */
public interface WorkerGrid {

  /** Number of dimensions. */
  int dimension();

  /** Threads of the grid along x, y, z. */
  long[] getGlobalWork();

  /** Threads of a block along x, y, z, or null where TornadoVM chooses. */
  long[] getLocalWork();

  /** Blocks along x, y, z, or null where TornadoVM chooses. */
  long[] getNumberOfWorkgroups();

  /** First index along x, y, z. */
  long[] getGlobalOffset();

  /** Sets the threads of the grid. */
  void setGlobalWork(long x, long y, long z);

  /** Sets the threads of a block and, from them, the blocks. */
  void setLocalWork(long x, long y, long z);

  /** Leaves the number of blocks to TornadoVM. */
  void setNumberOfWorkgroupsToNull();

  /** Leaves the threads of a block to TornadoVM. */
  void setLocalWorkToNull();

  /** Sets the first index. */
  void setGlobalOffset(long x, long y, long z);
}
