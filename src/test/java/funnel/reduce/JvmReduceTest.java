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
import java.util.Collections;
import java.util.List;
import java.util.Random;
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

  /** Each for one of the types, at random. */
  @Override
  List<Size> largeSizes(ElementType type) {
    List<Size> dealt = new ArrayList<>(Size.large());
    List<Size> sizes = new ArrayList<>();
    Collections.shuffle(dealt, new Random(Seed.VALUE));
    int types = ElementType.values().length;
    for (int i = type.ordinal(); i < dealt.size(); i += types) {
      sizes.add(dealt.get(i));
    }
    return sizes;
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
