package funnel.stream;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.ElementStream;
import funnel.EngineContract;
import funnel.FakeDevices;
import funnel.Funnel;
import funnel.Seed;
import funnel.Values;
import funnel.operation.Device;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Streams on an engine: sources of every kind, of lengths around those of pieces. */
abstract class StreamContract extends EngineContract {

  private static final int TURN = Seed.random("turn").nextInt(1 << 20);

  @TempDir Path folder;

  /** Elements of a piece. */
  int piece() {
    return 1000;
  }

  /**
   * So many devices, which are fakes and of which any may be the faster, in place of the engine.
   */
  int devices() {
    return 0;
  }

  /** On TornadoVM all devices that there are. */
  @Override
  @BeforeAll
  public final void open() {
    if (devices() == 0 && target() == Target.TORNADO) {
      funnel = Funnel.open(Funnel.devices().toArray(Device[]::new));
    } else if (devices() == 0) {
      super.open();
    } else {
      funnel = FakeDevices.open(devices(), FakeDevices.slower());
    }
  }

  /** Whether each case takes so long, to compile or to run, that they are dealt to the types. */
  private boolean isSlow() {
    return target() != Target.JVM;
  }

  /** Whether what takes longest is left out. */
  final boolean isEmulated() {
    return target() == Target.EMULATOR;
  }

  @Override
  public final int[] lengths() {
    int piece = piece();
    return new int[] {0, 1, piece - 1, piece, piece + 1, 2 * piece, 3 * piece + 7};
  }

  /** All cases, or that of the number's turn: all are met by as many numbers as there are cases. */
  final <T> List<T> dealt(int number, List<T> cases) {
    return isSlow() && Seed.draws(1) == 1
        ? List.of(cases.get((TURN + number) % cases.size()))
        : cases;
  }

  /** The lengths, of those of one or two pieces where they are dealt. */
  final List<Integer> lengths(int number) {
    int piece = piece();
    List<Integer> lengths = new ArrayList<>(List.of(0, 1));
    lengths.addAll(dealt(number, List.of(piece - 1, piece, piece + 1, 2 * piece)));
    lengths.add(most());
    return lengths;
  }

  /** A case of a test. */
  interface Check {
    void of(Values elements, ElementStream stream, String what) throws IOException;
  }

  final void eachCase(ElementType type, String test, Check check) throws IOException {
    eachCase(type, test, lengths(type.ordinal()), check);
  }

  final void eachCase(ElementType type, String test, List<Integer> lengths, Check check)
      throws IOException {
    int turn = Math.floorMod(TURN + test.hashCode() + type.ordinal(), ElementType.values().length);
    assumeTrue(target() != Target.TORNADO || turn < 2 * Seed.draws(1), "dealt to other types");
    SplittableRandom random = Seed.random(test + type);
    for (int length : lengths) {
      List<Values> all = new ArrayList<>(List.of(Values.random(type, length, random)));
      if (length == most()) {
        all.addAll(Values.special(type, length, random));
      }
      for (Values elements : dealt(random.nextInt(all.size()), all)) {
        try (StreamSources of = new StreamSources(folder, elements, random)) {
          check.of(
              elements,
              funnel.over(of.source()).pieces(piece()).scratch(folder),
              "%s, %s, length=%s%s".formatted(type, of.source(), length, Seed.replay()));
        }
      }
    }
  }
}
