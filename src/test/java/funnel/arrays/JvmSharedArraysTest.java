package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Ints;
import funnel.operation.Target;
import org.junit.jupiter.api.Test;

class JvmSharedArraysTest extends SharedArraysContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Test
  void capacitiesTogetherBeyondAnArray_areNoReasonToRefuse() {
    Ints few = funnel.range(0, 1 << 20).filter(v -> v == 5);
    Ints several = few;
    for (int i = 0; i < 12; i++) {
      several = several.concat(several);
    }
    assertEquals(5 << 12, several.sum());
    Ints united = few;
    for (int i = 0; i < 12; i++) {
      united = united.union(united);
    }
    assertEquals(5, united.sum());
  }
}
