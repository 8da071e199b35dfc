package funnel.stream;

import funnel.Values;
import funnel.io.ElementFile;
import funnel.io.Source;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** The same elements as sources of every kind. */
final class StreamSources implements AutoCloseable {

  private final Arena arena = Arena.ofShared();
  private final Path file;
  private final Source source;

  /** One of the kinds, as the numbers have it. */
  StreamSources(Path folder, Values elements, SplittableRandom random) throws IOException {
    ElementType type = elements.type();
    int bytes = type.bytes();
    byte[] all = elements.elements().segment().toArray(ValueLayout.JAVA_BYTE);
    MemorySegment memory = arena.allocate(all.length + bytes, bytes).asSlice(bytes);
    memory.copyFrom(MemorySegment.ofArray(all));
    long cut = (long) random.nextInt(elements.length() + 1) * bytes;
    file = folder.resolve("elements.bin");
    Source.Filler copied =
        (from, piece) -> piece.copyFrom(memory.asSlice(from * bytes, piece.byteSize()));
    source =
        switch (random.nextInt(4)) {
          case 0 -> Source.of(memory, type);
          case 1 -> Source.generated(type, elements.length(), copied);
          case 2 ->
              Source.concatenated(
                  List.of(
                      Source.of(memory.asSlice(0, cut), type),
                      Source.of(memory.asSlice(cut), type)));
          default -> {
            Files.write(file, all);
            yield ElementFile.openRaw(file, type);
          }
        };
  }

  Source source() {
    return source;
  }

  @Override
  public void close() throws IOException {
    if (source instanceof ElementFile open) {
      open.close();
      Files.delete(file);
    }
    arena.close();
  }
}
