package funnel;

import funnel.histogram.HistogramMethod;
import funnel.operation.Target;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoFoundLengthsTest extends FoundLengthsContract {

  @Override
  Target target() {
    return Target.TORNADO;
  }

  @Override
  int scale() {
    return 300;
  }

  @Override
  List<HistogramMethod> methods() {
    return super.methods().stream().filter(by -> by != HistogramMethod.PRIVATISED).toList();
  }
}
