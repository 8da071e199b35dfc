package funnel.scan;

import funnel.Funnel;
import funnel.Seed;
import funnel.operation.Target;

class JvmScanTest extends ScanContract {

  @Override
  Funnel open() {
    return Funnel.open(Target.JVM);
  }

  @Override
  int capacity() {
    return 300_000;
  }

  @Override
  int randomRuns() {
    return Seed.draws(120);
  }
}
