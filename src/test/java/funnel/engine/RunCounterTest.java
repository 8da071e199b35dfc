package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.operation.RunCounter;
import org.junit.jupiter.api.Test;

class RunCounterTest {

  @Test
  void kernelsCountAsTheHostDoes_inEveryType() {
    for (long runs :
        new long[] {0, 1, RunCounter.LAST - 1, RunCounter.LAST, 3L * RunCounter.LAST}) {
      int before = RunCounter.after(runs);
      int after = RunCounter.after(runs + 1);

      assertEquals(after, RunCounter.next(before));
      assertEquals(after, RunCounter.next((long) before));
      assertEquals(after, RunCounter.next((float) before));
      assertEquals(after, RunCounter.next((double) before));
    }
  }
}
