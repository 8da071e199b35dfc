package funnel.bench;

import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Twins;
import funnel.jit.Value;

/** Plain loops that select elements of one type. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntPlainSelect implements PlainSelect {

  IntPlainSelect() {}

  @Override
  public int over(Object elements, int limit, Object kept) {
    @Element int[] into = (@Element int[]) kept;
    int count = 0;
    for (@Element int x : (@Element int[]) elements) {
      if (JvmValues.of(x) > limit) {
        into[count++] = x;
      }
    }
    return count;
  }

  @Override
  public int flagged(Object elements, byte[] flags, Object kept) {
    @Element int[] x = (@Element int[]) elements;
    @Element int[] into = (@Element int[]) kept;
    int count = 0;
    for (int i = 0; i < x.length; i++) {
      if (flags[i] != 0) {
        into[count++] = x[i];
      }
    }
    return count;
  }

  @Override
  public int partition(Object elements, int limit, Object kept, Object rejected) {
    @Element int[] into = (@Element int[]) kept;
    @Element int[] others = (@Element int[]) rejected;
    int count = 0;
    int left = 0;
    for (@Element int x : (@Element int[]) elements) {
      if (JvmValues.of(x) > limit) {
        into[count++] = x;
      } else {
        others[left++] = x;
      }
    }
    return count;
  }

  @Override
  public int unique(Object elements, Object heads) {
    @Element int[] x = (@Element int[]) elements;
    @Element int[] into = (@Element int[]) heads;
    int count = 0;
    for (int i = 0; i < x.length; i++) {
      if (i == 0 || x[i] != x[i - 1]) {
        into[count++] = x[i];
      }
    }
    return count;
  }

  @Override
  public int runs(Object elements, Object heads, int[] lengths) {
    @Element int[] x = (@Element int[]) elements;
    @Element int[] into = (@Element int[]) heads;
    int count = 0;
    int start = 0;
    for (int i = 0; i < x.length; i++) {
      if (i == 0 || x[i] != x[i - 1]) {
        if (count > 0) {
          lengths[count - 1] = i - start;
        }
        into[count++] = x[i];
        start = i;
      }
    }
    if (count > 0) {
      lengths[count - 1] = x.length - start;
    }
    return count;
  }

  @Override
  public int chain(Object elements, int limit, Object kept, Object sums) {
    @Element int[] x = (@Element int[]) kept;
    @Value int[] into = (@Value int[]) sums;
    int count = over(elements, limit, kept);
    @Value int sum = 0;
    for (int i = 0; i < count; i++) {
      sum += JvmValues.of(x[i]);
      into[i] = sum;
    }
    @Value int max = into[0];
    for (int i = 1; i < count; i++) {
      max = Math.max(max, into[i]);
    }
    into[into.length - 1] = max;
    return count;
  }
}
