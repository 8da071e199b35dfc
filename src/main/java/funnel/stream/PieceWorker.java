package funnel.stream;

import funnel.Plan;
import funnel.jit.CallChain;
import funnel.operation.Device;
import funnel.operation.FunnelDeviceException;
import funnel.operation.Primitive;
import funnel.pieces.Pieces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does a call's step with pieces, by plans of one device that take turns. */
final class PieceWorker<T> implements Pieces.Worker<T>, AutoCloseable {

  /* With several devices, one that fails does not end the call. Its current piece, and those read
   * for it, are computed by a plan on the JVM, which has the same bits: so no other device has to
   * wait for them. Then it takes no more pieces, unless no other device is left. A
   * user-defined function may give other bits on a device, and a sink may be the memory of the
   * source: for such a step the failure is thrown, as it is with one device.
   */

  private static final Logger LOG = LoggerFactory.getLogger("funnel.Funnel");

  private final PieceRuns.Step<T> step;
  private final Plans of;
  private final BiConsumer<Plan, Pieces.Piece> inputs;
  private final CallChain chain = CallChain.current();
  private final List<Plan> plans = new ArrayList<>();
  private @Nullable Device device;
  private AtomicInteger healthy = new AtomicInteger(1);
  private @Nullable Supplier<Plan.Builder> onJvm;
  private @Nullable Plan substitute;
  private volatile boolean hasFailed;

  /**
   * Does a step.
   *
   * @param of whose plans do it
   * @param inputs sets the inputs of a plan
   */
  PieceWorker(Plans of, PieceRuns.Step<T> step, BiConsumer<Plan, Pieces.Piece> inputs) {
    this.of = of;
    this.step = step;
    this.inputs = inputs;
  }

  /** Builds {@code turns} plans. */
  void build(Supplier<Plan.Builder> plan, int turns) {
    while (plans.size() < turns) {
      plans.add(plan.get().build());
    }
  }

  /**
   * Builds the plans of one device among several.
   *
   * @param numberHealthy how many of them have not failed
   * @param other makes a plan on the JVM that replaces one on the device; null if the step
   *     overwrites its input
   */
  void build(
      Supplier<Plan.Builder> plan,
      Device one,
      AtomicInteger numberHealthy,
      @Nullable Supplier<Plan.Builder> other) {
    device = one;
    healthy = numberHealthy;
    onJvm = of.combined(plan.get()).anyMatch(Primitive.Combined::mayDiffer) ? null : other;
    try {
      build(plan, Pieces.TURNS);
    } catch (FunnelDeviceException e) {
      failed(e, "before its first piece");
    }
  }

  @Override
  public void ahead(Pieces.Piece piece) {
    if (!hasFailed) {
      try {
        inputs.accept(plans.get(piece.turn()), piece);
      } catch (FunnelDeviceException e) {
        failed(e, where(piece));
      }
    }
  }

  @Override
  public T run(Pieces.Piece piece) throws IOException {
    return chain.call(() -> inChain(piece));
  }

  private T inChain(Pieces.Piece piece) throws IOException {
    if (!hasFailed) {
      try {
        return step.run(plans.get(piece.turn()), piece);
      } catch (FunnelDeviceException e) {
        failed(e, where(piece));
      }
    }
    Plan other = substitute();
    inputs.accept(other, piece);
    return step.run(other, piece);
  }

  private Plan substitute() {
    Plan built = substitute;
    if (built == null) {
      built = Objects.requireNonNull(onJvm).get().build();
      substitute = built;
    }
    return built;
  }

  private static String where(Pieces.Piece piece) {
    return String.format(Locale.ROOT, "at elements %,d to %,d", piece.from(), piece.to() - 1);
  }

  private synchronized void failed(FunnelDeviceException e, String where) {
    if (onJvm == null) {
      throw e;
    }
    if (hasFailed) {
      return;
    }
    hasFailed = true;
    LOG.warn(
        "device {} has failed {}: its pieces are computed on the JVM, the following ones {}; {}",
        device,
        where,
        healthy.decrementAndGet() > 0 ? "on the other devices" : "too, since no other is left",
        e.getMessage());
  }

  @Override
  public int turns() {
    return Math.max(1, plans.size());
  }

  @Override
  public boolean takesMore() {
    return !hasFailed || healthy.get() == 0;
  }

  /** If a plan cannot be closed, no result is lost, and the other plans are closed all the same. */
  @Override
  public void close() {
    Stream.concat(plans.stream(), Stream.ofNullable(substitute))
        .forEach(
            plan -> {
              try {
                plan.close();
              } catch (RuntimeException e) {
                LOG.warn(
                    "a plan was not closed{}: {}",
                    device == null ? "" : " on device " + device,
                    e.getMessage());
              }
            });
  }
}
