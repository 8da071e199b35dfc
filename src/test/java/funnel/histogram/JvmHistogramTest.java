package funnel.histogram;

import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import java.util.List;

/** Methods are a device's, but which one is named must not matter. */
class JvmHistogramTest extends HistogramContract {

  @Override
  Engine open() {
    return new JvmEngine();
  }

  @Override
  List<HistogramMethod> methods() {
    return List.of(HistogramMethod.THREAD_COUNTERS, HistogramMethod.STRIDED);
  }

  @Override
  int capacity() {
    return 400_000;
  }

  @Override
  int mostCounters() {
    return 1 << 17;
  }

  @Override
  int randomCases() {
    return 1000;
  }
}
