package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.engine.JvmEngine;
import funnel.engine.KeptArrays;
import funnel.engine.KernelsOfProgram;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** What a profile says of compiled kernels. */
class ProfileTest {

  /** The JVM, with kernels. */
  private static final class Compiling extends FakeDevices.StandIn {
    private final KernelsOfProgram kernels;

    Compiling(KernelsOfProgram kernels) {
      super(new JvmEngine());
      this.kernels = kernels;
    }

    @Override
    public LoadedProgram load(
        Program program, Map<String, TornadoNativeArray> bound, KeptArrays kept) {
      LoadedProgram loaded = super.load(program, bound, kept);
      return (LoadedProgram)
          Proxy.newProxyInstance(
              ProfileTest.class.getClassLoader(),
              new Class<?>[] {LoadedProgram.class},
              (_, method, arguments) ->
                  method.getName().equals("kernels") ? kernels : method.invoke(loaded, arguments));
    }
  }

  private static Profile profile(KernelsOfProgram kernels) {
    try (Funnel funnel = FakeDevices.open(new Compiling(kernels), null);
        Plan plan =
            funnel
                .plan("sums")
                .input("x", ElementType.INT, 100)
                .add("sum", Reduction.sum(), "x")
                .build()) {
      plan.measureKernels(true);
      assertEquals(6, plan.run(Map.of("x", Elements.of(new int[] {1, 2, 3}))).getInt("sum"));
      return plan.profile();
    }
  }

  @Test
  void itHasWhatWasCompiledForThePlan() {
    Profile profile = profile(new KernelsOfProgram(12, 5, 1_250_000));
    assertEquals(new Profile.Compiled(12, 5, 1_250_000), profile.kernels());
    List<String> lines = profile.toString().lines().toList();
    assertEquals(2, lines.size());
    assertTrue(lines.getFirst().startsWith("sum "), lines.getFirst());
    assertEquals("5 of 12 kernels compiled in 1.3 ms", lines.getLast());
  }

  @Test
  void withoutKernels_itSaysNothingOfThem() {
    assertEquals(1, profile(KernelsOfProgram.NONE).toString().lines().count());
  }
}
