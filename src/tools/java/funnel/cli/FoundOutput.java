package funnel.cli;

import funnel.io.ElementOutput;
import funnel.io.Sink;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes elements whose number is not known before, and writes them to a file if there is one. */
final class FoundOutput implements Sink, AutoCloseable {

  private static final int FEW = 8;

  private final ElementType type;
  private final long most;
  private final @Nullable ElementOutput file;
  private final @Nullable PrintWriter printed;
  private final List<Number> first = new ArrayList<>();
  private long count;

  /**
   * Begins.
   *
   * @param file where elements go, or null
   * @param printed where each is printed on a line, or null
   * @param most the maximum number of elements
   */
  FoundOutput(@Nullable OutputFile file, @Nullable PrintWriter printed, ElementType type, long most)
      throws IOException {
    this.printed = printed;
    this.type = type;
    this.most = most;
    this.file = file == null ? null : file.create(type, most);
  }

  @Override
  public ElementType type() {
    return type;
  }

  @Override
  public long length() {
    return most;
  }

  @Override
  public void write(long from, MemorySegment elements) throws IOException {
    long length = elements.byteSize() / type.bytes();
    for (long i = 0; i < length && first.size() < FEW; i++) {
      first.add(number(elements, type, i));
    }
    for (long i = 0; printed != null && i < length; i++) {
      printed.println(Numbers.text(number(elements, type, i)));
    }
    if (file != null) {
      file.write(from, elements);
    }
    count += length;
  }

  /** An element; bytes from 0 to 255. */
  static Number number(MemorySegment elements, ElementType type, long i) {
    return switch (type) {
      case BYTE -> elements.get(ValueLayout.JAVA_BYTE, i) & 0xff;
      case INT -> elements.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
      case LONG -> elements.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i);
      case FLOAT -> elements.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i);
      case DOUBLE -> elements.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i);
    };
  }

  /** The number of elements. */
  long count() {
    return count;
  }

  /** The first few. */
  List<Number> first() {
    return List.copyOf(first);
  }

  /** Prints them, if there are any, after a word. */
  void printFirst(String word, PrintWriter out) {
    if (count > 0) {
      String some = first.stream().map(Numbers::text).collect(Collectors.joining(", "));
      out.println("%s %s%s".formatted(word, some, count > first.size() ? ", ..." : ""));
    }
  }

  /** Gives the file, if there is one, its name. */
  void commit(boolean replace) throws IOException {
    if (file != null) {
      file.end();
      file.commit(replace);
    }
  }

  @Override
  public String toString() {
    return String.valueOf(file);
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
