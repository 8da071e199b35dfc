package funnel.reduce;

import funnel.Funnel;
import funnel.Seed;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** The device's kernels without a device: fewer and shorter inputs, since it is slow. */
class EmulatorReduceTest extends ReduceContract {

  @Override
  Funnel open() {
    return Funnel.open(Target.EMULATOR);
  }

  /** One in thirty at random, and what touches the ends of lanes and tiles. */
  @Override
  List<Size> smallSizes() {
    SplittableRandom random = Seed.random("emulated sizes");
    Set<Integer> always = Set.of(0, 1, 257, 1021, 1023, 2045, 2047, 2049, 4093);
    return Size.small().stream()
        .filter(size -> always.contains(size.n()) || Seed.draws(random, 30))
        .toList();
  }

  @Override
  List<Size> mediumSizes() {
    return List.of(Size.medium().getLast());
  }

  @Override
  List<Size> largeSizes(ElementType type) {
    return List.of(Size.shared().getLast());
  }
}
