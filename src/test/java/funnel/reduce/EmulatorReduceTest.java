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

  private static final int TURN = Seed.random("turn of kinds").nextInt(2);

  @Override
  Funnel open() {
    return Funnel.open(Target.EMULATOR);
  }

  /** One in sixty at random, and what touches the ends of lanes and tiles. */
  @Override
  List<Size> smallSizes() {
    SplittableRandom random = Seed.random("emulated sizes");
    Set<Integer> always = Set.of(0, 1, 257, 1021, 1023, 2045, 2047, 2049, 4093);
    return Size.small().stream()
        .filter(size -> always.contains(size.n()) || Seed.draws(random, 60))
        .toList();
  }

  /** What floating-point numbers alone have, and of the others each with two types or three. */
  @Override
  boolean isTried(Kind kind, ElementType type) {
    return kind.compareTo(Kind.ALL_NAN) >= 0
        || (TURN + kind.ordinal() + type.ordinal()) % 2 == 0
        || Seed.draws(Seed.random(kind + "of" + type), 20);
  }

  /** Each part with two types or three. */
  @Override
  boolean isTried(int part, ElementType type) {
    return (TURN + part + type.ordinal()) % 2 == 0;
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
