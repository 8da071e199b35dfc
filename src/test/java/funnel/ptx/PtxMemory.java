package funnel.ptx;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * What is allocated of a device's memory, which is memory of this process at the same addresses.
 */
@SuppressWarnings("restricted")
final class PtxMemory {

  private final ConcurrentSkipListMap<Long, Long> ends = new ConcurrentSkipListMap<>();

  /** All addresses. */
  final MemorySegment all = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  void allocated(long address, long bytes) {
    ends.put(address, address + bytes);
  }

  void freed(long address) {
    ends.remove(address);
  }

  /** The allocation that an address is in: its first address and its end; null: in none. */
  Map.Entry<Long, Long> around(long address) {
    Map.Entry<Long, Long> entry = ends.floorEntry(address);
    return entry == null || address >= entry.getValue() ? null : entry;
  }

  /** The allocation nearest before an address, for messages. */
  String nearest(long address) {
    Map.Entry<Long, Long> entry = ends.floorEntry(address);
    return entry == null
        ? "before all allocations"
        : "%s bytes from the begin of an array of %s bytes"
            .formatted(address - entry.getKey(), entry.getValue() - entry.getKey());
  }
}
