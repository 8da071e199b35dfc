package funnel.operation;

import java.util.List;
import java.util.function.Function;

/**
 * A primitive that states its form for a setting as a {@link Step}.
 *
 * <p>It also answers what primitives are asked that have no steps yet. Once all have, its one
 * method is that of {@link Primitive}, and this interface goes.
 */
public interface Stated extends Primitive {

  @Override
  Step in(Setting setting);

  /** A primitive as it is: the step of one that states it. */
  static Primitive drawn(Primitive primitive) {
    return primitive instanceof Stated stated ? stated.in(Setting.asIs()) : primitive;
  }

  @Override
  default Layout layout() {
    return in(Setting.asIs()).layout();
  }

  @Override
  default void requireLengths(Lengths lengths) {
    in(Setting.asIs()).requireLengths(lengths);
  }

  @Override
  default int[] shape(Lengths lengths) {
    return in(Setting.asIs()).shape(lengths);
  }

  @Override
  default void launch(Launches launches) {
    in(Setting.asIs()).launch(launches);
  }

  @Override
  default String gaveUp(Function<String, Number> results, Lengths lengths) {
    return in(Setting.asIs()).gaveUp(results, lengths);
  }

  @Override
  default String takesForGranted() {
    return in(Setting.asIs()).takesForGranted();
  }

  @Override
  default List<Combined> combined() {
    return in(Setting.asIs()).combined();
  }

  @Override
  default void runOnJvm(JvmRun run) {
    in(Setting.asIs()).runOnJvm(run);
  }
}
