package funnel.bench;

/** {@code Arrays.parallelSort} of an array on the heap, which is restored before each run. */
final class JdkSortSubject extends HeapSubject<Sortable, SortTask, SortCase> {

  JdkSortSubject() {
    super("jdk-parallelSort", 2);
  }

  @Override
  public boolean takes(Sortable keys, SortTask task) {
    return task == SortTask.SORT;
  }

  @Override
  SortCase what(Sortable keys, SortTask task) {
    return SortCase.of(keys, task);
  }

  @Override
  Loop loop(Sortable keys, SortTask task) {
    Object x = LoopSelectSubject.array(keys.array().getSegment(), keys.type());
    return new Loop(
        () -> LoopSelectSubject.segment(x).copyFrom(keys.array().getSegment()),
        () -> Sortable.sort(x, 0, keys.length()),
        () ->
            SortSubject.compared(
                Sortable.hash(keys.type(), LoopSelectSubject.segment(x)), keys, task));
  }
}
