package funnel.jobs;

import funnel.Bytes;
import funnel.Elements;
import funnel.Funnel;
import funnel.group.Dictionary;
import funnel.group.Dictionary.Piece;
import funnel.histogram.Histogram;
import funnel.operator.ElementType;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts the words of a text of any size, which is read from a mapped file. */
public final class Words {

  private static final int PART = 1 << 24;
  private static final int VOCABULARY = 100_000;
  private static final int LONGEST = 10;

  private Words() {}

  /** How often each word occurs. */
  public record Counts(Map<String, Long> ofWords) {}

  /** The job. */
  public static Counts count(Funnel funnel, Path file) throws IOException {
    return count(funnel, file, PART);
  }

  /** The job, in parts of at most {@code most} bytes. */
  static Counts count(Funnel funnel, Path file, int most) throws IOException {
    Dictionary<Piece> words = Dictionary.of(List.of());
    long[] counts = {};
    try (FileChannel channel = FileChannel.open(file);
        Arena arena = Arena.ofShared()) {
      MemorySegment text = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      long end;
      for (long from = 0; from < text.byteSize(); from = end) {
        end = endOfPart(text, from, most);
        MemorySegment part = text.asSlice(from, end - from);
        Bytes bytes = funnel.bytes(Elements.of(part, ElementType.BYTE));
        int[] starts = bytes.flags(c -> c > ' ').runs().starts().toArray();
        Dictionary.Encoded<Piece> runs = words.encode(runs(part, starts));
        words = runs.dictionary();
        counts = Arrays.copyOf(counts, words.size());
        Histogram byWord = Histogram.ofKeys(counts.length);
        int[] ofPart = funnel.of(runs.keys()).histogram(byWord).toArray();
        for (int key = 0; key < ofPart.length; key++) {
          counts[key] += ofPart[key];
        }
      }
    }
    Map<String, Long> ofWords = new HashMap<>();
    for (int key = 0; key < counts.length; key++) {
      if (isInWord(words.get(key).bytes(), 0)) {
        ofWords.put(words.get(key).toString(), counts[key]);
      }
    }
    return new Counts(ofWords);
  }

  /** The words and what is between them. */
  private static List<Piece> runs(MemorySegment part, int[] starts) {
    int[] bounds = Arrays.copyOf(starts, starts.length + 1);
    bounds[starts.length] = (int) part.byteSize();
    return Dictionary.pieces(part, bounds);
  }

  private static boolean isInWord(MemorySegment text, long at) {
    return (text.get(ValueLayout.JAVA_BYTE, at) & 0xff) > ' ';
  }

  /** A part ends between words. */
  private static long endOfPart(MemorySegment text, long from, int most) {
    long end = Math.min(from + most, text.byteSize());
    while (end < text.byteSize() && isInWord(text, end - 1)) {
      end--;
      if (end == from) {
        throw new IllegalArgumentException(
            "a word of more than %s bytes, from byte %s on".formatted(most, from));
      }
    }
    return end;
  }

  /** Writes a random text from a seed: words of small letters, some of them much more frequent. */
  public static void write(Path file, long bytes, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    byte[][] words = new byte[VOCABULARY][];
    for (int w = 0; w < VOCABULARY; w++) {
      words[w] = new byte[random.nextInt(1, LONGEST + 1)];
      for (int i = 0; i < words[w].length; i++) {
        words[w][i] = (byte) ('a' + random.nextInt(26));
      }
    }
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
      for (long written = 0; written < bytes; ) {
        byte[] word = words[(int) (VOCABULARY * Math.pow(random.nextDouble(), 3))];
        out.write(word, 0, (int) Math.min(word.length, bytes - written));
        written += word.length;
        if (written < bytes) {
          out.write(random.nextInt(12) == 0 ? '\n' : ' ');
          written++;
        }
      }
    }
  }

  /** Prints the most frequent words of a file, or of a text of 1 GB. */
  public static void main(String[] arguments) {
    Screen.run(
        "Words", new String[0], 1_000_000_000, (funnel, bytes) -> print(funnel, bytes, arguments));
  }

  private static void print(Funnel funnel, int bytes, String[] arguments) throws Exception {
    Path file = arguments.length > 0 ? Path.of(arguments[0]) : Files.createTempFile("words", "");
    if (!Files.isRegularFile(file)) {
      throw new IOException("no such file: " + file);
    }
    try {
      if (arguments.length == 0) {
        write(file, bytes, 1);
      }
      IO.println(
          String.format(
              Locale.ROOT,
              "the most frequent words of %,d bytes%s",
              Files.size(file),
              arguments.length > 0 ? " of " + file : ", which are random letters"));
      Counts counts = Screen.beside(funnel, () -> count(funnel, file), () -> countByStream(file));
      counts.ofWords().entrySet().stream()
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .limit(10)
          .forEach(word -> IO.println("%s: %s".formatted(word.getKey(), word.getValue())));
    } finally {
      if (arguments.length == 0) {
        Files.delete(file);
      }
    }
  }

  private static Map<String, Long> countByStream(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .parallel()
          .flatMap(line -> Stream.of(line.split(" ")))
          .collect(Collectors.groupingByConcurrent(word -> word, Collectors.counting()));
    }
  }
}
