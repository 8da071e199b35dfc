package funnel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The first and last rows of a {@link Table}, an {@link Array}, {@link Groups} or {@link Results},
 * in words: what a notebook shows.
 *
 * {@snippet class="funnel.docs.ArraySnippets" region="preview"}
 *
 * @param names the columns' names, empty where they have none
 * @param types the columns' types
 * @param first the first rows
 * @param last the last rows, which do not overlap the first
 * @param rows how many rows there are
 */
public record Preview(
    List<String> names,
    List<String> types,
    List<List<String>> first,
    List<List<String>> last,
    long rows) {

  private static final int ENDS = 4;

  /** Copies the lists. */
  public Preview {
    names = List.copyOf(names);
    types = List.copyOf(types);
    first = List.copyOf(first);
    last = List.copyOf(last);
  }

  private boolean isWhole() {
    return first.size() + last.size() == rows;
  }

  private String size() {
    return String.format(
        Locale.ROOT,
        "%,d row%s, %d column%s",
        rows,
        rows == 1 ? "" : "s",
        names.size(),
        names.size() == 1 ? "" : "s");
  }

  /** All lines, each with what stands left of it: the position of the row. */
  private List<List<String>> lines(String more) {
    List<List<String>> lines = new ArrayList<>();
    lines.addAll(header());
    IntStream.range(0, first.size()).forEach(i -> lines.add(before("" + i, first.get(i))));
    if (!isWhole()) {
      lines.add(before(more, names.stream().map(_ -> more).toList()));
    }
    IntStream.range(0, last.size())
        .forEach(i -> lines.add(before("" + (rows - last.size() + i), last.get(i))));
    return lines;
  }

  /** The names and the types, if there are some. */
  private List<List<String>> header() {
    return Stream.of(names, types)
        .filter(words -> !words.stream().allMatch(String::isEmpty))
        .map(words -> before("", words))
        .toList();
  }

  private static List<String> before(String position, List<String> words) {
    return Stream.concat(Stream.of(position), words.stream()).toList();
  }

  /** Lines of text, of which the last has the number of rows and columns. */
  public String text() {
    List<String> text = new ArrayList<>(aligned(lines("...")));
    text.add(size());
    return String.join("\n", text);
  }

  /** The words of lines in columns, which end below each other. */
  static List<String> aligned(List<List<String>> lines) {
    int[] widths =
        IntStream.range(0, lines.getFirst().size())
            .map(c -> lines.stream().mapToInt(line -> line.get(c).length()).max().orElse(0))
            .toArray();
    return lines.stream()
        .map(
            line ->
                String.join(
                    "  ",
                    IntStream.range(0, widths.length)
                        .mapToObj(c -> " ".repeat(widths[c] - line.get(c).length()) + line.get(c))
                        .toList()))
        .toList();
  }

  /** A table of HTML, with the number of rows and columns below. */
  public String html() {
    StringBuilder html = new StringBuilder("<table>\n");
    List<List<String>> lines = lines("\u22ee");
    for (int i = 0; i < lines.size(); i++) {
      html.append("<tr>");
      for (int c = 0; c < lines.get(i).size(); c++) {
        String word = lines.get(i).get(c);
        String cell = c == 0 || i < header().size() ? "th" : "td";
        html.append("<%s>%s</%s>".formatted(cell, escaped(word), cell));
      }
      html.append("</tr>\n");
    }
    return html.append("</table>\n<p>%s</p>".formatted(size())).toString();
  }

  private static String escaped(String word) {
    return word.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Elements of a Java array, bytes from 0 to 255. */
  static List<String> words(Object array) {
    return IntStream.range(0, java.lang.reflect.Array.getLength(array))
        .mapToObj(
            i ->
                array instanceof byte[] bytes
                    ? String.valueOf(bytes[i] & 0xff)
                    : String.valueOf(java.lang.reflect.Array.get(array, i)))
        .toList();
  }

  /** The first and last of some elements: {@code 0, 1, 2, 3, ..., 96, 97, 98, 99}. */
  static String ends(Elements all) {
    int length = all.length();
    return length <= 2 * ENDS
        ? words(all, 0, length)
        : "%s, ..., %s".formatted(words(all, 0, ENDS), words(all, length - ENDS, length));
  }

  private static String words(Elements all, int from, int to) {
    Elements some = Elements.allocate(all.type(), to - from);
    some.segment().copyFrom(all.range(from, to).segment());
    return String.join(", ", words(some.segment().heapBase().orElseThrow()));
  }

  /** The words of columns as rows. */
  static List<List<String>> rows(List<List<String>> columns, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> columns.stream().map(column -> column.get(i)).toList())
        .toList();
  }
}
