package uk.ac.manchester.tornado.api;

/**
 * What worker grids have in common. A statement of signatures that works on the JVM. The number of
 * blocks is rounded down where the block does not divide the grid.
 */
public abstract class AbstractWorkerGrid implements WorkerGrid {
  /** Threads of the grid. */
  protected long[] globalWork;

  /** Threads of a block, or null. */
  protected long[] localWork;

  /** Blocks, or null. */
  protected long[] numOfWorkgroups;

  /** First index. */
  protected long[] globalOffset = new long[3];

  /** A grid of so many threads, in blocks that TornadoVM chooses. */
  protected AbstractWorkerGrid(long x, long y, long z) {
    globalWork = new long[] {x, y, z};
  }

  @Override
  public long[] getGlobalWork() {
    return globalWork;
  }

  @Override
  public long[] getLocalWork() {
    return localWork;
  }

  @Override
  public long[] getNumberOfWorkgroups() {
    return numOfWorkgroups;
  }

  @Override
  public long[] getGlobalOffset() {
    return globalOffset;
  }

  @Override
  public void setGlobalWork(long x, long y, long z) {
    globalWork = new long[] {x, y, z};
  }

  @Override
  public void setLocalWork(long x, long y, long z) {
    localWork = new long[] {x, y, z};
    numOfWorkgroups = new long[] {globalWork[0] / x, globalWork[1] / y, globalWork[2] / z};
  }

  @Override
  public void setGlobalOffset(long x, long y, long z) {
    globalOffset = new long[] {x, y, z};
  }

  @Override
  public void setLocalWorkToNull() {
    localWork = null;
  }

  @Override
  public void setNumberOfWorkgroupsToNull() {
    numOfWorkgroups = null;
  }
}
