package funnel.emulator;

import funnel.kernel.KernelTask.Grid;

/** A kernel, one of its groups (or -1) and one of that group's threads (or -1). */
record Place(String kernel, Grid grid, int group, int thread) {

  static final int NONE = -1;

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("kernel ").append(kernel);
    if (group != NONE) {
      text.append(", group ").append(name(group, grid.blocks(), grid.blocksY()));
    }
    if (thread != NONE) {
      text.append(", thread ").append(threadName(thread));
    }
    return text.toString();
  }

  String threadName(int number) {
    return name(number, grid.threads(), grid.threadsY());
  }

  private static String name(int number, int width, int height) {
    return height == 1
        ? Integer.toString(number)
        : "(%s, %s)".formatted(number % width, number / width);
  }
}
