package funnel.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Lengths as a user writes them: {@code 1000}, {@code 2^20}, or {@code 2^10..2^28} in steps of a
 * factor of 4.
 */
final class Lengths implements ITypeConverter<List<Integer>> {

  private static final Pattern LENGTH = Pattern.compile("2\\^(\\d{1,2})|(\\d{1,10})");
  private static final int STEP = 4;

  /** For picocli. */
  Lengths() {}

  @Override
  public List<Integer> convert(String text) {
    TreeSet<Integer> lengths = new TreeSet<>();
    for (String part : text.split(",", -1)) {
      String[] ends = part.split("\\.\\.", 2);
      long from = length(ends[0]);
      long to = length(ends[ends.length - 1]);
      if (from > to) {
        throw new TypeConversionException("'%s' is an empty range".formatted(part));
      }
      for (long length = from; length <= to; length *= STEP) {
        lengths.add((int) length);
      }
    }
    return new ArrayList<>(lengths);
  }

  private static long length(String text) {
    Matcher matcher = LENGTH.matcher(text.strip());
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'%s' is not a length: write 1000, 2^20 or 2^10..2^28".formatted(text));
    }
    long length =
        matcher.group(1) != null
            ? 1L << Math.min(62, Integer.parseInt(matcher.group(1)))
            : Long.parseLong(matcher.group(2));
    if (length < 1 || length > Integer.MAX_VALUE - 8) {
      throw new TypeConversionException(
          "length %s is out of range: smallest=1, largest=%s"
              .formatted(text, Integer.MAX_VALUE - 8));
    }
    return length;
  }
}
