package funnel.call;

import funnel.Plan;
import funnel.operation.FunnelMemoryException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The plans of one-shot calls, limited in number and device memory: the least recently used plan is
 * closed first, which frees its memory.
 *
 * <p>Plans of different kinds are built and used at the same time. If all plans of a kind are in
 * use, a call gets another plan of that kind, up to a number of copies; then it waits.
 */
final class PlanCache {

  private record Key(Object kind, int copy) {}

  private static final class Entry {
    private final Key key;
    private int users;
    private volatile @Nullable Plan plan;

    /**
     * Whether the plan is in use. Waiting for a plan that is being built takes no longer than
     * building another.
     */
    boolean isBusy() {
      return users > 0 && plan != null;
    }

    Entry(Key key) {
      this.key = key;
    }

    /* Under this entry's monitor, never inside the cache's: compiling takes a while. */
    synchronized Plan plan(Supplier<Plan> build) {
      Plan built = plan;
      if (built == null) {
        built = build.get();
        plan = built;
      }
      return built;
    }
  }

  private final int mostPlans;
  private final long mostBytes;
  private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long closed;

  PlanCache(int mostPlans, long mostBytes) {
    this.mostPlans = mostPlans;
    this.mostBytes = mostBytes;
  }

  /**
   * Runs {@code use} with a plan of a kind, which {@code make} builds if none exists.
   *
   * @param copies the maximum number of plans of the kind
   */
  <T> T with(Object kind, int copies, Supplier<Plan> make, Function<Plan, T> use) {
    Entry entry = acquire(kind, copies);
    try {
      Plan plan = entry.plan(() -> build(make));
      long before = evict(mostPlans, mostBytes);
      try {
        return use.apply(plan);
      } catch (FunnelMemoryException e) { // a run may need more than was known before
        if (evict(0, 0) == before) {
          throw e;
        }
        return use.apply(plan);
      }
    } finally {
      release(entry);
    }
  }

  private synchronized Entry acquire(Object kind, int copies) {
    Entry leastUsed = entries.computeIfAbsent(new Key(kind, 0), Entry::new);
    for (int copy = 1; copy < copies && leastUsed.isBusy(); copy++) {
      Entry entry = entries.computeIfAbsent(new Key(kind, copy), Entry::new);
      leastUsed = entry.users < leastUsed.users ? entry : leastUsed;
    }
    leastUsed.users++;
    return leastUsed;
  }

  private Plan build(Supplier<Plan> make) {
    // another thread may free memory meanwhile, too: then it is worth trying again
    long before = evict(mostPlans, mostBytes);
    try {
      return make.get();
    } catch (FunnelMemoryException e) {
      if (evict(0, 0) == before) {
        throw e;
      }
      return make.get();
    }
  }

  private synchronized void release(Entry entry) {
    entry.users--;
    if (entry.users == 0 && entry.plan == null) {
      entries.remove(entry.key);
    }
    evict(mostPlans, mostBytes);
  }

  /**
   * Closes idle plans, least recently used first, until both limits hold. Returns how many have
   * been closed in all.
   */
  private synchronized long evict(int plans, long bytes) {
    Iterator<Entry> oldestFirst = entries.values().iterator();
    while ((entries.size() > plans || bytes() > bytes) && oldestFirst.hasNext()) {
      Entry entry = oldestFirst.next();
      Plan plan = entry.plan;
      if (entry.users == 0 && plan != null) {
        oldestFirst.remove();
        plan.close();
        closed++;
      }
    }
    return closed;
  }

  private long bytes() {
    long sum = 0;
    for (Entry entry : entries.values()) {
      Plan plan = entry.plan;
      sum += plan == null ? 0 : plan.deviceBytes();
    }
    return sum;
  }

  private List<Plan> plans() {
    return entries.values().stream().map(entry -> entry.plan).filter(Objects::nonNull).toList();
  }

  synchronized int size() {
    return entries.size();
  }

  synchronized void close() {
    List<Plan> all = plans();
    entries.clear();
    all.forEach(Plan::close);
  }
}
