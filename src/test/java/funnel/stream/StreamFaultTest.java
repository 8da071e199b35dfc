package funnel.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import funnel.ElementStream;
import funnel.Funnel;
import funnel.cli.OtherJvm;
import funnel.io.ElementFile;
import funnel.io.ElementOutput;
import funnel.io.FileChangedException;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.io.StreamException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.sort.Sort;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What fails in the middle is named with its place, and nothing is lost or left over by it. */
class StreamFaultTest {

  private static final int PIECE = 1 << 14;
  private static final int LENGTH = 5 * PIECE + 3;

  @TempDir Path folder;

  private Path path = Path.of("");
  private Funnel funnel = Funnel.open(Target.JVM);

  private interface Call {
    void run(ElementStream stream, Sink sink) throws IOException;
  }

  /** Calls that read all of a source of ints, and write as many ints at most. */
  private static final List<Call> CALLS =
      List.of(
          (stream, sink) -> stream.reduce(Reduction.sumAsLong()),
          (stream, sink) -> stream.scan(Scan.inclusive(Operator.SUM), sink),
          (stream, sink) -> stream.select(Select.where(Transform.testInt("any", v -> true)), sink),
          (stream, sink) -> stream.sort(Sort.ascending(), sink));

  /** Those of them that write. */
  private static final List<Call> WRITING = CALLS.subList(1, CALLS.size());

  private static int[] numbers() {
    return IntStream.range(0, LENGTH).map(i -> LENGTH - i).toArray();
  }

  @BeforeEach
  void write() throws IOException {
    path = folder.resolve("x.bin");
    Files.write(path, MemorySegment.ofArray(numbers()).toArray(ValueLayout.JAVA_BYTE));
  }

  @AfterEach
  void theFunnelIsAsItWas() {
    try (Funnel used = funnel) {
      assertEquals(6, used.sum(new int[] {1, 2, 3}));
    }
    assertEquals(
        List.of("x.bin"), List.of(Objects.requireNonNull(folder.toFile().list())), "files left");
  }

  /** Has each call run over the file, into another one, while something is done with the first. */
  private IOException failure(Call call, Runnable afterAPiece) throws IOException {
    write();
    Path out = folder.resolve("out.npy");
    IOException failure;
    try (ElementFile file = ElementFile.openRaw(path, ElementType.INT);
        ElementOutput output = ElementOutput.create(out, ElementType.INT, LENGTH)) {
      ElementStream stream =
          funnel
              .over(file)
              .pieces(PIECE)
              .scratch(folder)
              .listener((done, total) -> afterAPiece.run());
      failure =
          assertThrows(
              IOException.class,
              () -> {
                call.run(stream, output);
                output.commit(false);
              });
    }
    assertFalse(Files.exists(out));
    return failure;
  }

  @Test
  void aFileThatIsCutOff() throws IOException {
    for (int left : new int[] {0, 3 * PIECE}) { // the second piece or the fourth is not there
      for (Call call : CALLS) {
        StreamException e =
            assertInstanceOf(
                StreamException.class,
                failure(
                    call,
                    () -> {
                      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                        file.setLength(4L * left);
                      } catch (IOException never) {
                        throw new IllegalStateException(never);
                      }
                    }));
        assertEquals(Math.max(PIECE, left), e.position());
        FileChangedException cause = assertInstanceOf(FileChangedException.class, e.getCause());
        assertTrue(
            String.valueOf(cause.getMessage())
                .contains("size was %s bytes, is %s".formatted(4 * LENGTH, 4 * left)),
            cause.getMessage());
      }
    }
  }

  /** What is mapped is the file that was there: its end tells that another one has its name. */
  @Test
  void aFileThatIsReplaced() throws IOException {
    for (Call call : CALLS) {
      FileChangedException e =
          assertInstanceOf(
              FileChangedException.class,
              failure(
                  call,
                  () -> {
                    try {
                      Path other = folder.resolve("other");
                      Files.write(other, new byte[4 * LENGTH]);
                      Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
                    } catch (IOException never) {
                      throw new IllegalStateException(never);
                    }
                  }));
      assertTrue(String.valueOf(e.getMessage()).startsWith(path + " changed"), e.getMessage());
    }
  }

  /** Of several files the message names the one, and where in the source it begins. */
  @Test
  void oneOfSeveralFilesThatIsReplaced() throws IOException {
    Path second = folder.resolve("y.bin");
    Files.copy(path, second);
    try (ElementFile one = ElementFile.openRaw(path, ElementType.INT);
        ElementFile other = ElementFile.openRaw(second, ElementType.INT)) {
      Files.delete(second);
      Source seven = Source.of(MemorySegment.ofArray(new int[7]), ElementType.INT);
      Source all = Source.concatenated(List.of(seven, Source.concatenated(List.of(one, other))));
      FileChangedException e =
          assertInstanceOf(
              FileChangedException.class,
              assertThrows(
                      StreamException.class,
                      () -> funnel.over(all).pieces(PIECE).reduce(Reduction.sum()))
                  .getCause());
      assertEquals(7 + LENGTH, e.position());
      assertEquals(
          "%s, which begins at position 81,930 of the source, changed while it was read: it is gone; run again when nothing writes to it"
              .formatted(second),
          e.getMessage());
    }
  }

  @Test
  void aSourceThatCannotBeReadInTheMiddle() throws IOException {
    IOException cause = new IOException("bad sector");
    Source source =
        Source.generated(
            ElementType.INT,
            LENGTH,
            (from, piece) -> {
              if (from == 3 * PIECE) {
                throw cause;
              }
            });
    for (Call call : CALLS) {
      int[] into = new int[LENGTH];
      StreamException e =
          assertThrows(
              StreamException.class,
              () ->
                  call.run(
                      funnel.over(source).pieces(PIECE).scratch(folder),
                      Sink.of(MemorySegment.ofArray(into), ElementType.INT)));
      assertEquals(3 * PIECE, e.position());
      assertSame(cause, e.getCause());
      assertEquals(
          "generated INT[81923]: elements 49,152 to 65,535 cannot be read: bad sector",
          e.getMessage());
    }
  }

  @Test
  void aSinkThatRefuses() throws IOException {
    IOException cause = new IOException("quota");
    int[] into = new int[LENGTH];
    Sink memory = Sink.of(MemorySegment.ofArray(into), ElementType.INT);
    for (Call call : WRITING) {
      Sink refusing =
          new Sink() {
            @Override
            public ElementType type() {
              return memory.type();
            }

            @Override
            public long length() {
              return memory.length();
            }

            @Override
            public void write(long from, MemorySegment elements) throws IOException {
              if (from == 2 * PIECE) {
                throw cause;
              }
              memory.write(from, elements);
            }

            @Override
            public String toString() {
              return "tape";
            }
          };
      try (ElementFile file = ElementFile.openRaw(path, ElementType.INT)) {
        StreamException e =
            assertThrows(
                StreamException.class,
                () -> call.run(funnel.over(file).pieces(PIECE).scratch(folder), refusing));
        assertEquals(2 * PIECE, e.position());
        assertSame(cause, e.getCause());
        assertEquals("tape: elements 32,768 to 49,151 cannot be written: quota", e.getMessage());
      }
    }
    assertArrayEquals(
        MemorySegment.ofArray(numbers()).toArray(ValueLayout.JAVA_BYTE), Files.readAllBytes(path));
  }

  @Test
  void aFunnelThatIsClosedMeanwhile() throws IOException {
    for (Call call : CALLS) {
      int[] into = new int[LENGTH];
      Funnel closed = Funnel.open(Target.JVM);
      try (ElementFile file = ElementFile.openRaw(path, ElementType.INT)) {
        ElementStream stream =
            closed
                .over(file)
                .pieces(PIECE)
                .scratch(folder)
                .listener((done, total) -> closed.close());
        assertThrows(
            IllegalStateException.class,
            () -> call.run(stream, Sink.of(MemorySegment.ofArray(into), ElementType.INT)));
      }
    }
  }

  /** A limit on a file's size stands for a disk that is full: writes fail, with another reason. */
  @Test
  void aDiskThatIsFullInTheMiddleOfASort() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("bash", "-c", "ulimit -f 100 && exec \"$@\"", "bash"));
    command.addAll(OtherJvm.command(OnFullDisk.class, path.toString(), folder.toString()));
    command.add(command.indexOf("-cp"), "-XX:-UsePerfData");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertEquals(0, process.waitFor(), said);
    assertEquals(
        "16384: %s: elements 16,384 to 32,767 cannot be written: File too large"
            .formatted(folder.resolve("sorted-pieces")),
        said.substring(said.lastIndexOf('\n') + 1));
  }

  /** A file system of its own, which only a process of its own sees. */
  @Test
  void aFileSystemThatIsFullInTheMiddleOfASort() throws IOException, InterruptedException {
    Path full = Files.createDirectory(folder.resolve("full"));
    String mount = "mount -t tmpfs -o size=%s tmpfs %s".formatted(8 * PIECE, full);
    try {
      List<String> command =
          new ArrayList<>(List.of("unshare", "--user", "--map-root-user", "--mount", "bash", "-c"));
      command.addAll(List.of(mount + " && echo mounted && exec \"$@\"", "bash"));
      command.addAll(OtherJvm.command(OnFullDisk.class, path.toString(), full.toString()));
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      int code = process.waitFor();
      if (!said.startsWith("mounted")) {
        System.err.println("NOT TESTED: a full file system, since none can be mounted: " + said);
        abort("no file system can be mounted: " + said);
      }
      assertEquals(0, code, said);
      assertEquals(
          "32768: %s: elements 32,768 to 49,151 cannot be written: No space left on device"
              .formatted(full.resolve("sorted-pieces")),
          said.substring(said.lastIndexOf('\n') + 1));
    } finally {
      Files.delete(full);
    }
  }

  /** In another JVM. */
  static final class OnFullDisk {
    private OnFullDisk() {}

    public static void main(String[] arguments) throws IOException {
      try (Funnel funnel = Funnel.open(Target.JVM);
          ElementFile file = ElementFile.openRaw(Path.of(arguments[0]), ElementType.INT)) {
        int[] into = new int[LENGTH];
        funnel
            .over(file)
            .pieces(PIECE)
            .scratch(Path.of(arguments[1]))
            .sort(Sort.ascending(), Sink.of(MemorySegment.ofArray(into), ElementType.INT));
      } catch (StreamException e) {
        System.out.println(e.position() + ": " + e.getMessage());
      }
    }
  }
}
