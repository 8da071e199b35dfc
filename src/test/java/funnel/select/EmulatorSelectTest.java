package funnel.select;

import funnel.Seed;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

class EmulatorSelectTest extends SelectContract {

  @Override
  Target target() {
    return Target.EMULATOR;
  }

  @Override
  int capacity(ElementType type) {
    return 5 * SelectTiles.tile(type);
  }

  /** Around tiles, which begin a lead before the first element. */
  @Override
  List<Integer> lengths(ElementType type) {
    SplittableRandom random = Seed.random("lengths" + type);
    int tile = SelectTiles.tile(type);
    int lead = SelectTiles.lead(type);
    return Stream.of(
            0,
            1,
            33,
            tile - lead - 1,
            tile - lead,
            tile - lead + 1,
            tile,
            2 * tile - lead,
            5 * tile)
        .filter(length -> length < 2 || random.nextInt(2) == 0)
        .toList();
  }
}
