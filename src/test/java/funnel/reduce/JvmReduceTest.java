package funnel.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Elements;
import funnel.Funnel;
import funnel.Seed;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JvmReduceTest extends ReduceContract {

  @Override
  Funnel open() {
    return Funnel.open(Target.JVM);
  }

  @Override
  int capacity() {
    return 70_001; // as for the longest of the medium sizes: the same plans
  }

  @Override
  List<Size> mediumSizes() {
    List<Size> sizes = new ArrayList<>(Size.medium());
    sizes.addAll(Size.shared());
    return sizes;
  }

  @Override
  List<Size> largeSizes(ElementType type) {
    List<Size> sizes = Size.large();
    return switch (type) {
      case FLOAT -> sizes;
      default ->
          List.of(
              sizes.get(Seed.random("large" + type).nextInt(sizes.size() - 1)), sizes.getLast());
    };
  }

  @Test
  void memorySegmentOfOneThread_longEnoughToBeShared() {
    int n = 200_000;
    try (Funnel funnel = open();
        Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(4L * n, 4);
      for (int i = 0; i < n; i++) {
        memory.setAtIndex(ValueLayout.JAVA_INT, i, 1);
      }
      Elements elements = Elements.of(memory, ElementType.INT);
      for (int call = 0; call < 100; call++) { // work need not be shared every time
        assertEquals(n, funnel.reduce(elements, Reduction.sum()));
        assertEquals(0, funnel.reduce(elements, Reduction.argMin()));
      }
    }
  }
}
