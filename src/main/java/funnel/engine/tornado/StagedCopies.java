package funnel.engine.tornado;

import funnel.engine.Copying;
import funnel.jit.CallChain;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** Copies between the caller's memory and large arrays on the device, in pieces. */
final class StagedCopies {

  /* One thread copies at a fifth of the link's rate. So several threads copy a piece between the
   * caller's memory and a slot, while the link carries another one: this thread hands out the work
   * of both, and waits for what is first in order. Each slot is filled again while the next copy is
   * queued.
   *
   * The link has nothing to do until the first piece is filled, and the threads have nothing to do
   * until the first piece has come; likewise at the end, the other way round. So the first and the
   * last pieces are small. All arrays of a step are one sequence, so that there is one beginning.
   *
   * What has come is read once: it is copied past the cache, for which pieces must not be small.
   * With four pieces being filled or emptied at a time, the threads hardly wait for each other.
   */

  private static final long LEAST_PIECE = 1L << 20;
  private static final long PAGE = 4096;

  private record Piece(String of, MemorySegment host, long device, boolean isLast) {}

  private final Staging.Lane lane;
  private final List<Piece> pieces = new ArrayList<>();

  /**
   * Copies of arrays.
   *
   * @param host the arrays in the caller's memory, by names
   * @param device where they are on the device
   */
  private StagedCopies(
      Staging.Lane lane, Map<String, MemorySegment> host, ToLongFunction<String> device) {
    this.lane = lane;
    long left = host.values().stream().mapToLong(MemorySegment::byteSize).sum();
    long done = 0;
    for (Map.Entry<String, MemorySegment> each : host.entrySet()) {
      MemorySegment all = each.getValue();
      long to = device.applyAsLong(each.getKey());
      long at = 0;
      do {
        long bytes = Math.min(pieceBytes(done, left), all.byteSize() - at);
        MemorySegment part = all.asSlice(at, bytes);
        pieces.add(new Piece(each.getKey(), part, to + at, at + bytes == all.byteSize()));
        at += bytes;
        done += bytes;
        left -= bytes;
      } while (at < all.byteSize());
    }
  }

  /** The bytes of a piece after {@code done} bytes, of {@code left} that are left. */
  static long pieceBytes(long done, long left) {
    long bytes = Math.min(done + LEAST_PIECE, left / 2) & -PAGE;
    return Math.clamp(bytes, LEAST_PIECE, Staging.SLOT);
  }

  private static int slot(int piece) {
    return piece % Staging.SLOTS;
  }

  private MemorySegment memory(int piece) {
    return lane.slot(slot(piece), pieces.get(piece).host().byteSize());
  }

  /** The number of pieces that may have begun while the one with this number is waited for. */
  private int begun(int piece) {
    return Math.min(pieces.size(), piece + Staging.SLOTS - 2);
  }

  /**
   * Copies arrays to the device.
   *
   * @param host the arrays in the caller's memory, by names
   * @param device where they are on the device
   * @param arrived takes the names of those that are there when this ends, also by an exception
   * @throws PinnedMemory.Failure if the driver fails
   * @throws Copying.MemoryFailure if the caller's memory fails
   */
  static void send(
      Staging.Lane lane,
      Map<String, MemorySegment> host,
      ToLongFunction<String> device,
      Consumer<String> arrived) {
    new StagedCopies(lane, host, device).send(arrived);
  }

  private void send(Consumer<String> arrived) {
    lane.lock();
    List<Copying> filling = new ArrayList<>();
    int queued = 0;
    try {
      while (queued < pieces.size()) {
        for (int next = filling.size(); next < begun(queued); next++) {
          if (next >= Staging.SLOTS) {
            lane.stream.await(slot(next));
          }
          filling.add(Copying.begin(pieces.get(next).host(), memory(next)));
        }
        filling.get(queued).join();
        CallChain.requireWanted();
        lane.stream.in(slot(queued), memory(queued), pieces.get(queued).device());
        queued++;
      }
    } finally {
      try {
        filling.forEach(Copying::await); // nothing reads the caller's memory after the call
        lane.stream.await();
        pieces.subList(0, queued).stream().filter(Piece::isLast).map(Piece::of).forEach(arrived);
      } finally {
        lane.unlock();
      }
    }
  }

  /**
   * Copies arrays from the device.
   *
   * @param host the arrays in the caller's memory, by names
   * @param device where they are on the device
   * @throws PinnedMemory.Failure if the driver fails
   * @throws Copying.MemoryFailure if the caller's memory fails
   */
  static void receive(
      Staging.Lane lane, Map<String, MemorySegment> host, ToLongFunction<String> device) {
    new StagedCopies(lane, host, device).receive();
  }

  private void receive() {
    lane.lock();
    List<Copying> emptying = new ArrayList<>();
    int queued = 0;
    try {
      while (emptying.size() < pieces.size()) {
        int piece = emptying.size();
        for (; queued < begun(piece); queued++) {
          if (queued >= Staging.SLOTS) {
            emptying.get(queued - Staging.SLOTS).join();
          }
          CallChain.requireWanted();
          lane.stream.out(slot(queued), pieces.get(queued).device(), memory(queued));
        }
        lane.stream.await(slot(piece));
        emptying.add(Copying.beginPastCache(memory(piece), pieces.get(piece).host()));
      }
      emptying.forEach(Copying::join);
    } finally {
      try {
        lane.stream.await();
      } finally {
        emptying.forEach(Copying::await); // nothing writes the caller's memory after the call
        lane.unlock();
      }
    }
  }
}
