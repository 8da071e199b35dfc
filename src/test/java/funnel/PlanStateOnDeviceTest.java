package funnel;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What runs see, and what belongs to them, on a device as on the other engines. */
@Tag("gpu")
class PlanStateOnDeviceTest {

  private final OverlapTest overlap = new OverlapTest();
  private final PlanStateTest state = new PlanStateTest();

  @Test
  void boundInPlace() {
    overlap.boundInPlace_operationsSeeTheArrayInTheirOrder_andTheNextRunGoesOn(Target.TORNADO);
  }

  @Test
  void setInPlace() {
    overlap.setInPlace_everyRunStartsFromWhatWasSet(Target.TORNADO);
  }

  @Test
  void intoABoundInput() {
    overlap.intoABoundInput_isFilledAfterTheRun_andTheNextRunStartsFromIt(Target.TORNADO);
  }

  @Test
  void oneShotCalls() {
    overlap.oneShotCalls_refuse(Target.TORNADO);
  }

  @Test
  void aRefusedRun() {
    state.aRefusedRun_setsNothing(Target.TORNADO);
  }

  @Test
  void arraysOfTheLastRun() {
    state.arraysOfTheLastRun_haveItsLength_whateverIsSetAfterwards(Target.TORNADO);
  }

  @Test
  void anOutputOverFewerBits() {
    state.anOutputOverFewerBits_hasRoomToTheEndOfTheArray_andNotBeyond(Target.TORNADO);
  }
}
