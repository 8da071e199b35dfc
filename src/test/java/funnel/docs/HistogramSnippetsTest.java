package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Seed;
import funnel.call.EngineChoice;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.KeptArray;
import funnel.engine.KeptArrays;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Device;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** The examples of histograms do what they say. */
class HistogramSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void histogram(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals("[2, 3, 2][3.0, 28.0, 96.0]", HistogramSnippets.ageGroups(funnel));
      int[] reds = HistogramSnippets.reds(funnel, new int[] {0x123456, 0xff0000, 0x120000});
      assertEquals(2, reds[0x12]);
      assertEquals(1, reds[0xff]);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void edges(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(
          "-0.95: 2\n0.55: 1\n",
          HistogramSnippets.bins(funnel, new double[] {-1, 0.55, -0.92, 1}).replace(',', '.'));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void uncounted(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      int[] counts = new int[4];
      assertEquals("1 below, 2 above, 1 missing", HistogramSnippets.beyondTheScale(funnel, counts));
      assertArrayEquals(new int[] {1, 1, 1, 1}, counts);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void methods_giveTheSame(Target target) {
    int[] words = Seed.random("words").ints(3000, 0, 100_000).toArray();
    Arrays.fill(words, 0, 1000, 7);
    int[] expected = new int[100_000];
    for (int word : words) {
      expected[word]++;
    }
    try (Funnel funnel = Funnel.open(target)) {
      assertArrayEquals(expected, HistogramSnippets.words(funnel, words, false), Seed.replay());
      assertArrayEquals(expected, HistogramSnippets.words(funnel, words, true), Seed.replay());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void overflow(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertArrayEquals(new long[] {6, 2147483649L}, HistogramSnippets.visits(funnel));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void indexOutside(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      long[] totals = {1, 2, 3};
      long[] amounts = {10, 20, 30};
      assertEquals(
          "30 is for account 3 of 3",
          HistogramSnippets.book(funnel, new int[] {2, 0, 3}, amounts, totals));
      assertArrayEquals(new long[] {1, 2, 3}, totals);
      assertEquals("booked", HistogramSnippets.book(funnel, new int[] {2, 0, 2}, amounts, totals));
      assertArrayEquals(new long[] {21, 2, 43}, totals);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void keyOutside(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      int[] counts = {7, 7, 7};
      assertEquals(
          "vote 1 is for -5, which is no candidate",
          HistogramSnippets.count(funnel, new int[] {2, -5, 0, 3}, counts));
      assertArrayEquals(new int[] {7, 7, 7}, counts);
      assertEquals("counted", HistogramSnippets.count(funnel, new int[] {2, 2, 0}, counts));
      assertArrayEquals(new int[] {1, 0, 2}, counts);
    }
  }

  private static List<String> countVotes(Funnel funnel) {
    List<String> log = new ArrayList<>();
    try (Plan plan = HistogramSnippets.votes(funnel, log)) {
      int[] votes = {2, 0, 2, 299};
      int[] counts = plan.run(Map.of("votes", Elements.of(votes))).ints("counts");
      int[] expected = new int[300];
      expected[0] = 1;
      expected[2] = 2;
      expected[299] = 1;
      assertArrayEquals(expected, counts);
    }
    return log;
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void localAtomics(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(List.of(), countVotes(funnel));
    }
  }

  /** The JVM in the place of a device of whose local atomics nothing is known. */
  private record UnknownDevice(Engine jvm) implements Engine {

    static final Device DEVICE = new Device("some GPU", "none");

    @Override
    public Target target() {
      return jvm.target();
    }

    @Override
    public String description() {
      return jvm.description();
    }

    @Override
    public Map<String, String> details() {
      return jvm.details();
    }

    @Override
    public LoadedProgram load(
        Program program, Map<String, TornadoNativeArray> bound, KeptArrays kept) {
      return jvm.load(program.on(DEVICE, bound), bound, kept);
    }

    @Override
    public KeptArray keep(ElementType type, int length) {
      return jvm.keep(type, length);
    }

    @Override
    public void close() {
      jvm.close();
    }
  }

  @Test
  void localAtomics_notRight_otherMethod() throws ReflectiveOperationException {
    Constructor<Funnel> on = Funnel.class.getDeclaredConstructor(EngineChoice.class);
    on.setAccessible(true);
    EngineChoice unknown =
        new EngineChoice(new UnknownDevice(new JvmEngine()), new LinkedHashMap<>(), null);
    try (Funnel funnel = on.newInstance(unknown)) {
      List<String> log = countVotes(funnel);
      assertEquals(1, log.size());
      assertTrue(log.getFirst().startsWith("some GPU with none: "), log::toString);
    }
  }
}
