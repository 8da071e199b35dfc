package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The emulator finds the mistakes of the examples, and says what they say. */
class KernelMistakesSnippetsTest {

  @Test
  void anyMistake() {
    KernelTask wrong =
        KernelTask.of("negate", Grid.of(2, 4), KernelMistakesSnippets::negate, new IntArray(7));
    assertEquals(
        "KernelBoundsException in group 1, thread 3", KernelMistakesSnippets.verdict(wrong));
    KernelTask right =
        KernelTask.of("negate", Grid.of(2, 4), KernelMistakesSnippets::negate, new IntArray(8));
    assertEquals("no mistake found", KernelMistakesSnippets.verdict(right));
  }

  @Test
  void bounds() {
    assertEquals("index 7 of 7 elements", KernelMistakesSnippets.negated(new IntArray(7)));
    assertEquals("all inside", KernelMistakesSnippets.negated(new IntArray(8)));
  }

  @Test
  void divergence() {
    assertEquals(
        "a barrier that some threads never reach",
        KernelMistakesSnippets.barriers(new IntArray(7)));
    assertEquals("all threads meet", KernelMistakesSnippets.barriers(new IntArray(8)));
  }

  @Test
  void race() {
    assertEquals("threads 0 and 1 meet at element 0", KernelMistakesSnippets.race(new IntArray(4)));
  }

  private static int[] values(IntArray array) {
    return array.getSegment().toArray(ValueLayout.JAVA_INT);
  }

  @Test
  void endless() {
    assertEquals(
        "thread 2 took more than 1000 steps",
        KernelMistakesSnippets.steps(IntArray.fromElements(8, 4, 0, 1)));
    IntArray x = IntArray.fromElements(8, 4, 2, 1);
    assertEquals("ended", KernelMistakesSnippets.steps(x));
    assertArrayEquals(new int[] {3, 2, 1, 0}, values(x));
  }

  @Test
  void localMemory() {
    DoubleArray x = DoubleArray.fromElements(1, 2, 3, 4);
    assertEquals(4096, KernelMistakesSnippets.largestTile(x));
    assertEquals(8.0, x.get(3));
  }

  @Test
  void failed() {
    assertEquals(
        "thread 2: java.lang.ArithmeticException: / by zero",
        KernelMistakesSnippets.shared(IntArray.fromElements(5, 2, 0, 1)));
    assertEquals(
        "nothing thrown", KernelMistakesSnippets.shared(IntArray.fromElements(5, 2, 4, 1)));
  }

  @Test
  void unsupported() {
    String message = KernelMistakesSnippets.emulated(new IntArray(4));
    assertTrue(message.contains("pass the value as an argument, or make the field final"), message);
    assertTrue(message.contains("KernelMistakesSnippets.factor"), message);
  }
}
