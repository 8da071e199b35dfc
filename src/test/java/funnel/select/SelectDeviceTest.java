package funnel.select;

import funnel.operation.Target;
import funnel.operator.ElementType;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class SelectDeviceTest extends SelectContract {

  @Override
  Target target() {
    return Target.TORNADO;
  }

  @Override
  int capacity(ElementType type) {
    return 1 << 22;
  }

  /** Around tiles, chunks and groups. */
  @Override
  List<Integer> lengths(ElementType type) {
    int tile = SelectTiles.tile(type);
    int lead = SelectTiles.lead(type);
    int chunk = SelectTiles.CHUNK * tile;
    return List.of(
        0,
        1,
        33,
        tile - lead - 1,
        tile - lead,
        tile - lead + 1,
        chunk - lead - 1,
        chunk - lead,
        chunk - lead + 1,
        3 * chunk + 77,
        capacity(type));
  }
}
