package funnel.bench;

import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Twins;

/** Plain loops that count samples of one type. */
@Twins({"Byte", "Long", "Float", "Double"})
@SuppressWarnings("cast") // a twin's samples have another type
final class IntPlainCounts implements PlainCounts {

  IntPlainCounts() {}

  @Override
  public void keys(Object samples, int[] counts) {
    for (@Element int sample : (@Element int[]) samples) {
      counts[(int) JvmValues.of(sample)]++;
    }
  }

  @Override
  public int even(Object samples, long low, long range, int[] counts) {
    int outside = 0;
    for (@Element int sample : (@Element int[]) samples) {
      long d = (long) JvmValues.of(sample) - low;
      if (d >= 0 && d < range) {
        counts[(int) (d * counts.length / range)]++;
      } else {
        outside++;
      }
    }
    return outside;
  }

  @Override
  public int wide(Object samples, long low, long range, int[] counts) {
    int outside = 0;
    long width = range / counts.length;
    for (@Element int sample : (@Element int[]) samples) {
      long d = (long) JvmValues.of(sample) - low;
      if (d >= 0 && d < range) {
        counts[(int) (d / width)]++;
      } else {
        outside++;
      }
    }
    return outside;
  }

  @Override
  public int even(Object samples, double low, double high, int[] counts) {
    int outside = 0;
    double scale = counts.length / (high - low);
    for (@Element int sample : (@Element int[]) samples) {
      double value = (double) JvmValues.of(sample);
      if (value >= low && value < high) {
        counts[(int) ((value - low) * scale)]++;
      } else {
        outside++;
      }
    }
    return outside;
  }

  @Override
  public int ranges(Object samples, double[] edges, int[] counts) {
    int outside = 0;
    for (@Element int sample : (@Element int[]) samples) {
      double value = (double) JvmValues.of(sample);
      int low = 0;
      int high = edges.length;
      while (low < high) {
        int middle = low + high >>> 1;
        if (edges[middle] <= value) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      if (low > 0 && low <= counts.length) {
        counts[low - 1]++;
      } else {
        outside++;
      }
    }
    return outside;
  }

  @Override
  public void channels(Object samples, int channels, int[] counts) {
    @Element int[] x = (@Element int[]) samples;
    int bins = counts.length / channels;
    for (int i = 0; i < x.length; i += channels) {
      for (int channel = 0; channel < channels; channel++) {
        counts[channel * bins + (int) JvmValues.of(x[i + channel])]++;
      }
    }
  }
}
