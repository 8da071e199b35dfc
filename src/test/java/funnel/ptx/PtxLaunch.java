package funnel.ptx;

import funnel.emulator.Order;
import funnel.ptx.Instruction.Place;
import funnel.ptx.Instruction.Space;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Runs a grid of a kernel: block after block, of a block one thread after the other, each to its
 * next barrier, in an order of their own between barriers. Blocks that wait for others let those go
 * on.
 */
final class PtxLaunch {

  /** Jumps back after which a thread lets others go on: many times before a block gives up. */
  private static final int SLICE = 256;

  /** Rounds of all blocks, in none of which a thread got anywhere. */
  private static final int MOST_ROUNDS = 10_000;

  private static final int WARP = 32;

  private static final int ALIGNMENT = 16;

  enum State {
    READY,
    AT_BARRIER,
    AT_SHUFFLE,
    ENDED
  }

  private final PtxKernel kernel;
  private final PtxMemory memory;
  private final MemorySegment arguments;
  private final int[] grid;
  private final int[] size;
  private final Order order;
  private final SplittableRandom random;

  /**
   * Of memory that blocks and threads have: in it as on a device, so that all is accessed alike.
   */
  private Arena arena = Arena.global();

  /** By instruction, the allocation that it accessed last, which its next access is in too. */
  private final long[] begins;

  private final long[] ends;

  /** Blocks that have ended, whose memory the next ones get, with what is in it. */
  private final Deque<Block> ended = new ArrayDeque<>();

  /**
   * A launch.
   *
   * @param dims blocks in x, y, z, then threads of each in x, y, z
   * @param order of threads between two barriers, and of blocks unless they wait for others
   */
  PtxLaunch(
      PtxKernel kernel,
      PtxMemory memory,
      MemorySegment arguments,
      int[] dims,
      Order order,
      long seed) {
    this.kernel = kernel;
    this.memory = memory;
    this.arguments = arguments;
    this.grid = Arrays.copyOf(dims, 3);
    this.size = Arrays.copyOfRange(dims, 3, 6);
    this.order = order;
    this.random = new SplittableRandom(seed);
    this.begins = new long[kernel.code.length];
    this.ends = new long[kernel.code.length];
    if (arguments.byteSize() < kernel.bytes(Space.PARAM)) {
      throw new PtxException(
          "%s has parameters of %s bytes, and gets %s"
              .formatted(kernel.name, kernel.bytes(Space.PARAM), arguments.byteSize()));
    }
  }

  /**
   * Runs it.
   *
   * @throws PtxException if it cannot go on
   */
  void run() {
    try (Arena launch = Arena.ofConfined()) {
      arena = launch;
      runAll();
    }
  }

  private void runAll() {
    Deque<Block> waiting = new ArrayDeque<>();
    Order ofBlocks = kernel.waits() ? Order.FORWARD : order; // as devices begin them
    for (int number : order(grid[0] * grid[1] * grid[2], ofBlocks)) {
      Block block = ended.isEmpty() ? new Block() : ended.pop();
      block.begin(number);
      if (block.runs()) {
        waiting.removeIf(each -> !each.runs());
      } else {
        ended.push(block);
      }
      if (block.left > 0) {
        waiting.add(block);
      }
    }
    for (int idle = 0; !waiting.isEmpty(); idle++) {
      if (idle == MOST_ROUNDS) {
        throw new PtxException(kernel.name + " does not end: " + waiting.peek().states());
      }
      for (Block each : waiting) {
        if (each.moves()) {
          idle = 0;
        }
      }
      waiting.removeIf(each -> each.left == 0);
    }
  }

  /** The numbers below count, in an order. */
  private int[] order(int count, Order by) {
    int[] numbers = new int[count];
    Arrays.setAll(numbers, i -> by == Order.REVERSE ? count - 1 - i : i);
    for (int i = count - 1; by == Order.RANDOM && i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = numbers[i];
      numbers[i] = numbers[j];
      numbers[j] = swapped;
    }
    return numbers;
  }

  /** What a thread has of its own. */
  private final class DeviceThread {
    final long[] registers = kernel.registers(random.split());
    final long local = garbage(Space.LOCAL);
    State state = State.READY;
    int next;
  }

  /** The address of memory with anything in it. */
  private long garbage(Space space) {
    byte[] bytes = new byte[kernel.bytes(space)];
    random.nextBytes(bytes);
    return arena.allocate(bytes.length, ALIGNMENT).copyFrom(MemorySegment.ofArray(bytes)).address();
  }

  /** A block that runs. */
  private final class Block {
    private final DeviceThread[] threads = new DeviceThread[size[0] * size[1] * size[2]];
    private final long shared = garbage(Space.SHARED);
    private int[] turns = order(threads.length, order);
    private int number;
    private int left;

    Block() {
      Arrays.setAll(threads, _ -> new DeviceThread());
    }

    void begin(int block) {
      number = block;
      left = threads.length;
      for (int i = 0; i < threads.length; i++) {
        long[] special = {
          i % size[0],
          i / size[0] % size[1],
          i / size[0] / size[1],
          block % grid[0],
          block / grid[0] % grid[1],
          block / grid[0] / grid[1],
          size[0],
          size[1],
          size[2],
          grid[0],
          grid[1],
          grid[2],
          i % WARP
        };
        System.arraycopy(special, 0, threads[i].registers, 0, special.length);
        threads[i].state = State.READY;
        threads[i].next = 0;
      }
    }

    /** Runs until it has ended or waits for other blocks, and says whether it does. */
    boolean runs() {
      while (left > 0) {
        if (!moves()) {
          return true;
        }
      }
      return false;
    }

    /** Runs each thread that can, and says whether any got to a barrier, a shuffle or its end. */
    boolean moves() {
      boolean moved = false;
      boolean ready = false;
      for (int turn : turns) {
        DeviceThread thread = threads[turn];
        if (thread.state == State.READY) {
          try {
            step(thread);
          } catch (PtxException e) {
            throw new PtxException(
                "%s, block %s, thread %s: %s".formatted(kernel.name, number, turn, e.getMessage()));
          }
          moved |= thread.state != State.READY;
          ready |= thread.state == State.READY;
          left -= thread.state == State.ENDED ? 1 : 0;
        }
      }
      for (int from = 0; from < threads.length; from += WARP) {
        boolean shuffled = shuffled(from, Math.min(from + WARP, threads.length));
        ready |= shuffled;
        moved |= shuffled;
      }
      if (!ready && left > 0) {
        release();
      }
      return moved;
    }

    /** Ends a barrier that all threads are at. */
    private void release() {
      for (DeviceThread thread : threads) {
        if (thread.state != State.AT_BARRIER || thread.next != threads[0].next) {
          throw new PtxException(
              "%s, block %s: not all threads get to one barrier: %s"
                  .formatted(kernel.name, number, states()));
        }
      }
      for (DeviceThread thread : threads) {
        thread.state = State.READY;
      }
      turns = order(threads.length, order);
    }

    String states() {
      StringBuilder text = new StringBuilder();
      String before = "";
      for (int i = 0; i < threads.length; i++) {
        Instruction at = kernel.code[Math.max(0, threads[i].next - 1)];
        String state = threads[i].state == State.ENDED ? "ended" : "at " + at.text();
        if (!state.equals(before)) {
          text.append("from thread %s on %s (%s); ".formatted(i, state, threads[i].next));
          before = state;
        }
      }
      return text.toString();
    }

    /** Exchanges what a warp's threads have brought, if all are at one shuffle. */
    private boolean shuffled(int from, int to) {
      DeviceThread first = threads[from];
      for (int i = from; i < to; i++) {
        if (threads[i].state != State.AT_SHUFFLE || threads[i].next != first.next) {
          return false;
        }
      }
      Instruction shuffle = kernel.code[first.next - 1];
      long[] values = new long[WARP];
      Arrays.setAll(
          values,
          i -> from + i < to ? threads[from + i].registers[shuffle.a()] : (int) random.nextLong());
      for (int i = 0; i < to - from; i++) {
        long[] registers = threads[from + i].registers;
        int by = (int) registers[shuffle.b()];
        int lane =
            switch ((String) shuffle.operation()) {
              case "down" -> i + by;
              case "up" -> i - by;
              case "bfly" -> i ^ by;
              case "idx" -> by & (WARP - 1);
              default -> throw Operations.unknown(shuffle.text());
            };
        registers[shuffle.to()] = values[lane < 0 || lane >= WARP ? i : lane];
        threads[from + i].state = State.READY;
      }
      return true;
    }

    private void step(DeviceThread thread) {
      long[] r = thread.registers;
      int next = thread.next;
      int jumps = SLICE;
      while (true) {
        Instruction i = kernel.code[next++];
        if (i.guard() >= 0 && (r[i.guard()] != 0) != i.when()) {
          continue;
        }
        switch (i.kind()) {
          case MOVE -> r[i.to()] = r[i.a()];
          case UNARY -> r[i.to()] = i.unary().applyAsLong(r[i.a()]);
          case BINARY -> r[i.to()] = i.binary().applyAsLong(r[i.a()], r[i.b()]);
          case TERNARY -> r[i.to()] = i.ternary().of(r[i.a()], r[i.b()], r[i.c()]);
          case ADD_INT -> r[i.to()] = (int) (r[i.a()] + r[i.b()]);
          case ADD_LONG -> r[i.to()] = r[i.a()] + r[i.b()];
          case AND -> r[i.to()] = r[i.a()] & r[i.b()];
          case LESS -> r[i.to()] = r[i.a()] < r[i.b()] ? 1 : 0;
          case EQUAL -> r[i.to()] = r[i.a()] == r[i.b()] ? 1 : 0;
          case SELECT -> r[i.to()] = r[i.c()] != 0 ? r[i.a()] : r[i.b()];
          case LOAD ->
              r[i.to()] = i.type().load(memory.all, begin(i, thread) + address(next - 1, r));
          case STORE ->
              i.type().store(memory.all, begin(i, thread) + address(next - 1, r), r[i.a()]);
          case ATOMIC -> {
            long at = begin(i, thread) + address(next - 1, r);
            long old = i.type().load(memory.all, at);
            i.type().store(memory.all, at, i.binary().applyAsLong(old, r[i.a()]));
            r[i.to()] = old;
          }
          case BRANCH -> {
            if (i.target() < next && --jumps == 0) {
              thread.next = i.target();
              return;
            }
            next = i.target();
          }
          case BARRIER -> {
            thread.next = next;
            thread.state = State.AT_BARRIER;
            return;
          }
          case SHUFFLE -> {
            thread.next = next;
            thread.state = State.AT_SHUFFLE;
            return;
          }
          case RETURN -> {
            thread.next = next;
            thread.state = State.ENDED;
            return;
          }
          case NOTHING -> {}
        }
      }
    }

    /** Where the space begins that is accessed. */
    private long begin(Instruction i, DeviceThread thread) {
      return switch (i.place().space()) {
        case GLOBAL -> 0;
        case SHARED -> shared;
        case LOCAL -> thread.local;
        case PARAM -> arguments.address();
      };
    }
  }

  /** The address of an access, checked. */
  private long address(int instruction, long[] registers) {
    Instruction i = kernel.code[instruction];
    Place place = i.place();
    long value = registers[place.register()];
    long address = value * place.scale() + place.offset();
    int bytes = i.type().bytes;
    if (place.space() == Space.GLOBAL) {
      if (address < begins[instruction] || address + bytes > ends[instruction]) {
        Map.Entry<Long, Long> around = memory.around(address);
        if (around == null || address + bytes > around.getValue()) {
          throw new PtxException("%s: outside, %s".formatted(i.text(), memory.nearest(address)));
        }
        begins[instruction] = around.getKey();
        ends[instruction] = around.getValue();
      }
    } else if (address < place.from() || address + bytes > place.to()) {
      throw new PtxException(
          "%s: outside, index or address %s of bytes %s to %s"
              .formatted(i.text(), value, place.from(), place.to()));
    }
    if ((address & (bytes - 1)) != 0) {
      throw new PtxException("%s: address %s is not aligned".formatted(i.text(), address));
    }
    return address;
  }
}
