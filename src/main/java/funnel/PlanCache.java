package funnel;

import funnel.engine.FunnelMemoryException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The plans behind one-shot calls: bounded in number and in device memory; the one that was not
 * used for longest goes first, and with it its memory.
 */
final class PlanCache {

  private static final class Entry {
    final Plan plan;
    int users;

    Entry(Plan plan) {
      this.plan = plan;
    }
  }

  private final int mostPlans;
  private final long mostBytes;
  private final Map<Object, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

  PlanCache(int mostPlans, long mostBytes) {
    this.mostPlans = mostPlans;
    this.mostBytes = mostBytes;
  }

  /** Runs {@code use} with the plan of {@code key}, which {@code make} builds if there is none. */
  <T> T with(Object key, Supplier<Plan> make, Function<Plan, T> use) {
    Entry entry = acquire(key, make);
    try {
      return use.apply(entry.plan);
    } finally {
      release(entry);
    }
  }

  private synchronized Entry acquire(Object key, Supplier<Plan> make) {
    Entry entry = entries.get(key);
    if (entry == null) {
      entry = new Entry(build(make));
      entries.put(key, entry);
    }
    entry.users++;
    return entry;
  }

  private Plan build(Supplier<Plan> make) {
    try {
      return make.get();
    } catch (FunnelMemoryException e) {
      if (!evict(0, 0)) {
        throw e;
      }
      return make.get();
    }
  }

  private synchronized void release(Entry entry) {
    entry.users--;
    evict(mostPlans, mostBytes);
  }

  /** Closes idle plans, oldest first, until the limits are kept; whether any was closed. */
  private boolean evict(int plans, long bytes) {
    boolean closed = false;
    Iterator<Entry> oldestFirst = entries.values().iterator();
    while ((entries.size() > plans || bytes() > bytes) && oldestFirst.hasNext()) {
      Entry entry = oldestFirst.next();
      if (entry.users == 0) {
        oldestFirst.remove();
        entry.plan.close();
        closed = true;
      }
    }
    return closed;
  }

  private long bytes() {
    return entries.values().stream().mapToLong(entry -> entry.plan.deviceBytes()).sum();
  }

  synchronized int size() {
    return entries.size();
  }

  synchronized void close() {
    List<Entry> all = new ArrayList<>(entries.values());
    entries.clear();
    for (Entry entry : all) {
      entry.plan.close();
    }
  }
}
