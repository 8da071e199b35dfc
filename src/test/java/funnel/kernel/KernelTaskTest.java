package funnel.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KernelTaskTest {

  /** Different ids, of which TornadoVM's ptx backend makes the same kernel's name. */
  @Test
  void repetitionsDifferOnlyInWhatIsNoLetterOrDigit() {
    List<String> ids =
        IntStream.range(0, 1024).mapToObj(i -> KernelTask.repetition("v_pass", i)).toList();
    assertEquals(1024, Set.copyOf(ids).size());
    Set<String> names =
        ids.stream().map(id -> id.replaceAll("[^A-Za-z0-9]", "_")).collect(Collectors.toSet());
    assertEquals(1, names.size(), names.toString());
    assertThrows(IllegalArgumentException.class, () -> KernelTask.repetition("v", 1024));
    assertThrows(IllegalArgumentException.class, () -> KernelTask.repetition("v", -1));
  }
}
