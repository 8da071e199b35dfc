package funnel.cli;

import funnel.file.WholeFile;
import funnel.io.ElementFile;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Elements that are made of a file: those that are added at once where they are, others in a file
 * that has no name, so that they may be more than memory.
 */
final class ElementCopy implements AutoCloseable {

  private static final int PIECE = 1 << 20;

  /* The file is mapped: nobody can cut off what has no name. */

  private final Path file;
  private final ElementType type;
  private Path copy;
  private @Nullable MemorySegment only;
  private @Nullable FileChannel channel;

  /**
   * No elements yet.
   *
   * @param file the file that messages name
   */
  ElementCopy(Path file, ElementType type) {
    this.file = file;
    this.type = type;
    this.copy = file;
  }

  /** Writes all of the bytes to a file, which an exception names. */
  static void write(FileChannel channel, ByteBuffer bytes, Path file) throws IOException {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw WholeFile.failed(file, "written", e);
    }
  }

  /** Adds elements, which must not change any more. */
  void add(MemorySegment elements) throws IOException {
    MemorySegment before = only;
    FileChannel to = channel;
    if (before == null && to == null) {
      only = elements;
      return;
    }
    if (to == null) {
      copy = Files.createTempFile("funnel-column", ".bin");
      to =
          FileChannel.open(
              copy,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      channel = to;
    }
    if (before != null) {
      write(to, ByteBuffer.wrap(before.toArray(ValueLayout.JAVA_BYTE)), copy);
      only = null;
    }
    write(to, ByteBuffer.wrap(elements.toArray(ValueLayout.JAVA_BYTE)), copy);
  }

  /** All that were added; they stay when this is closed. */
  ElementFile end() throws IOException {
    Arena arena = Arena.ofShared();
    try {
      MemorySegment all =
          channel != null
              ? channel.map(MapMode.READ_ONLY, 0, channel.size(), arena)
              : Objects.requireNonNullElse(only, MemorySegment.NULL);
      return ElementFile.of(file, type, all, arena);
    } catch (Throwable e) {
      arena.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  /** The elements that are not NaN: the file itself if all are none; it stays open. */
  static ElementFile numbers(ElementFile file) throws IOException {
    boolean[] isNan = new boolean[PIECE];
    boolean hasNan = false;
    for (long from = 0; from < file.length() && file.type().isFloating(); from += PIECE) {
      long to = Math.min(file.length(), from + PIECE);
      isNan = new boolean[(int) (to - from)];
      markNan(file.piece(from, to), file.type(), isNan);
      for (boolean each : isNan) {
        hasNan |= each;
      }
    }
    return hasNan ? withoutNan(List.of(file)).getFirst() : file;
  }

  /**
   * Rows of equally long columns, without those in which an element is NaN; the given stay open.
   */
  static List<ElementFile> withoutNan(List<ElementFile> columns) throws IOException {
    List<ElementCopy> copies = new ArrayList<>();
    try {
      for (ElementFile column : columns) {
        copies.add(new ElementCopy(column.path(), column.type()));
      }
      long length = columns.getFirst().length();
      for (long from = 0; from < length; from += PIECE) {
        long to = Math.min(length, from + PIECE);
        List<MemorySegment> pieces = new ArrayList<>();
        for (ElementFile column : columns) {
          pieces.add(column.piece(from, to));
        }
        boolean[] isNan = new boolean[(int) (to - from)];
        for (int c = 0; c < pieces.size(); c++) {
          markNan(pieces.get(c), columns.get(c).type(), isNan);
        }
        for (int c = 0; c < pieces.size(); c++) {
          copies.get(c).add(kept(pieces.get(c), columns.get(c).type().bytes(), isNan));
        }
      }
      List<ElementFile> all = new ArrayList<>();
      for (ElementCopy copy : copies) {
        all.add(copy.end());
      }
      return all;
    } finally {
      for (ElementCopy copy : copies) {
        copy.close();
      }
    }
  }

  private static void markNan(MemorySegment elements, ElementType type, boolean[] isNan) {
    for (int i = 0; type.isFloating() && i < isNan.length; i++) {
      isNan[i] |=
          type == ElementType.FLOAT
              ? Float.isNaN(elements.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i))
              : Double.isNaN(elements.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i));
    }
  }

  private static MemorySegment kept(MemorySegment elements, int bytes, boolean[] isNan) {
    byte[] all = elements.toArray(ValueLayout.JAVA_BYTE);
    int end = 0;
    for (int i = 0; i < isNan.length; i++) {
      if (!isNan[i]) {
        System.arraycopy(all, i * bytes, all, end, bytes);
        end += bytes;
      }
    }
    return MemorySegment.ofArray(all).asSlice(0, end);
  }

  /** Closes all. */
  static void close(Stream<ElementFile> files) {
    files.forEach(ElementFile::close);
  }
}
