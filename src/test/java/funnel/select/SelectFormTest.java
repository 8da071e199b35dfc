package funnel.select;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.operation.Device;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.scan.ScanForm;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SelectFormTest {

  private static final Device CUDA = new Device("NVIDIA H200", "cuda");
  private static final Transform POSITIVE = Transform.testLong("positive", v -> v > 0);

  private static ScanForm form(Select select, Setting setting) {
    Input input = new Input("x", ElementType.LONG, 1 << 20);
    Primitive part = select.expand("y", List.of(input)).primitives().getFirst();
    return ((SelectStep) part).form(setting);
  }

  private static ScanForm fastest(String backend, int capacity) {
    return SelectStep.fastest(new Device("NVIDIA H200", backend), capacity);
  }

  @Test
  void manyElementsAreReadTwiceWhereThatIsFaster() {
    assertEquals(ScanForm.SINGLE_PASS, fastest("ptx", 1 << 25));
    assertEquals(ScanForm.REDUCE_THEN_SCAN, fastest("ptx", 1 << 28));
    assertEquals(ScanForm.SINGLE_PASS, fastest("cuda", 1 << 28));
  }

  @Test
  void aNamedFormStays_andNoneGivesUpWhereThatIsNotWanted() {
    Select select = Select.where(POSITIVE);
    Select named = select.by(ScanForm.REDUCE_THEN_SCAN);
    assertEquals(ScanForm.SINGLE_PASS, form(select, Setting.on(CUDA)));
    assertEquals(ScanForm.REDUCE_THEN_SCAN, form(named, Setting.on(CUDA)));
    assertEquals(
        ScanForm.REDUCE_THEN_SCAN, form(select, Setting.on(CUDA).over(Set.of("x", "y"), true)));
    assertEquals(
        ScanForm.REDUCE_THEN_SCAN, form(select.by(ScanForm.SINGLE_PASS), Setting.toTheEnd()));
  }
}
