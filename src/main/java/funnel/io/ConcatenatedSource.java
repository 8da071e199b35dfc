package funnel.io;

import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Sources one after the other. */
final class ConcatenatedSource implements Source {

  /* A piece within one part is that part's memory; a piece that spans several parts is copied. */

  private final List<Source> parts;
  private final long[] ends;

  private ConcatenatedSource(List<Source> parts, long[] ends) {
    this.parts = parts;
    this.ends = ends;
  }

  static Source of(List<? extends Source> given) {
    List<Source> parts = List.copyOf(given);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("no source given: an empty one is of memory of no bytes");
    }
    Source first = parts.getFirst();
    long[] ends = new long[parts.size()];
    long end = 0;
    for (int k = 0; k < ends.length; k++) {
      Source part = parts.get(k);
      if (part.type() != first.type()) {
        throw new IllegalArgumentException(
            "sources of one type are one after the other: %s has %s, %s has %s"
                .formatted(first, first.type(), part, part.type()));
      }
      if (part.length() > Long.MAX_VALUE / first.type().bytes() - end) {
        throw new IllegalArgumentException(
            "too many elements together, from %s on".formatted(part));
      }
      end += part.length();
      ends[k] = end;
    }
    return new ConcatenatedSource(parts, ends);
  }

  @Override
  public ElementType type() {
    return parts.getFirst().type();
  }

  @Override
  public long length() {
    return ends[ends.length - 1];
  }

  private long begin(int part) {
    return part == 0 ? 0 : ends[part - 1];
  }

  /** The part that an element is in; for the end, the last one. */
  private int part(long at) {
    int found = Arrays.binarySearch(ends, at);
    int after = found < 0 ? -found - 1 : found + 1;
    while (after < ends.length && ends[after] == at) {
      after++; // empty parts end where they begin
    }
    return Math.min(after, ends.length - 1);
  }

  @Override
  public Source copied() {
    return new ConcatenatedSource(parts.stream().map(Source::copied).toList(), ends);
  }

  @Override
  public MemorySegment piece(long from, long to, SegmentAllocator room) throws IOException {
    ElementMemory.requireRange(this, from, to, length());
    int first = part(from);
    if (to <= ends[first]) {
      return piece(first, from, to, room);
    }
    int bytes = type().bytes();
    MemorySegment all = room.allocate((to - from) * bytes, bytes);
    for (int k = first; k < ends.length && begin(k) < to; k++) {
      long low = Math.max(from, begin(k));
      long high = Math.min(to, ends[k]);
      MemorySegment some = piece(k, low, high, room);
      MemorySegment.copy(some, 0, all, (low - from) * bytes, some.byteSize());
    }
    return all;
  }

  private MemorySegment piece(int part, long from, long to, SegmentAllocator room)
      throws IOException {
    Source source = parts.get(part);
    long low = from - begin(part);
    long high = to - begin(part);
    return StreamException.whole(source, low, high, source.piece(low, high, room));
  }

  @Override
  public boolean isOverwrittenBy(Sink sink, long from) {
    return IntStream.range(0, ends.length)
        .anyMatch(k -> parts.get(k).isOverwrittenBy(sink, from + begin(k)));
  }

  @Override
  public void requireUnchanged() throws IOException {
    for (int k = 0; k < ends.length; k++) {
      try {
        parts.get(k).requireUnchanged();
      } catch (FileChangedException e) {
        throw e.after(begin(k));
      }
    }
  }

  @Override
  public String toString() {
    String few = parts.stream().limit(3).map(Source::toString).collect(Collectors.joining(", "));
    return parts.size() > 3 ? few + ", ... (%s in all)".formatted(parts.size()) : few;
  }
}
