package funnel.build;

import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes, at build time, unrolled kernels from their templates: those of the heat equation's
 * register stream, and of a radix sort's scatter for each type of keys; and the compiler rules on
 * floats and on doubles.
 *
 * <p>Usage: {@code TemplateWriter <folder of templates> <folder of sources> [name=number ...]}. A
 * name and a number replace one of {@link #SIZES}, to try others. A file is touched only if its
 * text changes.
 */
public final class TemplateWriter {

  private static final String SOURCE = "funnel/heat/FloatHeatStream.java";

  /** What types are put before the name of. */
  private static final String SCATTER = "funnel/sort/RadixScatterKernels.java";

  /** Of floats; those of doubles are named after these. */
  private static final List<String> RULES =
      List.of("funnel/suite/FloatKernels.java", "funnel/suite/FloatRules.java");

  /** Steps of a pass for which there are kernels. */
  private static final List<Integer> LEVELS = List.of(2, 4, 8, 10);

  /**
   * Columns of a lane inside of the grid, with 8 levels at most and with more, and at its sides;
   * rows that the inner loop is unrolled by and that it reads together, the number that is both for
   * a short loop, columns by which tiles are moved, rows of a stretch at the sides, of large grids
   * and small ones, and warps for each of a device's multiprocessors.
   */
  private static final Map<String, Integer> SIZES =
      Map.of(
          "columns", 5,
          "deepColumns", 4,
          "longTrip", 6,
          "longGroup", 2,
          "shortTrip", 3,
          "lead", 20,
          "sideColumns", 2,
          "sideRows", 64,
          "sideRowsSmall", 8,
          "warps", 48);

  private TemplateWriter() {}

  /**
   * Writes the kernels.
   *
   * @param args folder of the templates, folder of the sources, then sizes to be tried
   * @throws IOException if a file cannot be read or written
   * @throws TemplateException if the template is wrong
   */
  public static void main(String[] args) throws IOException, TemplateException {
    if (args.length < 2 || !Files.isDirectory(Path.of(args[0]))) {
      System.err.println(
          "usage: TemplateWriter <folder of templates> <folder of sources> [name=number ...]");
      System.exit(2);
    }
    Map<String, Object> values = new HashMap<>(SIZES);
    values.put("levelsOfAll", LEVELS);
    for (String size : List.of(args).subList(2, args.length)) {
      String[] pair = size.split("=", 2);
      if (!SIZES.containsKey(pair[0]) || pair.length < 2) {
        System.err.printf("unknown size %s; sizes: %s%n", size, SIZES);
        System.exit(2);
      }
      values.put(pair[0], Integer.valueOf(pair[1]));
    }
    Path templates = Path.of(args[0]);
    int written = 0;
    if (isIn(templates, SOURCE)) {
      write(Path.of(args[1], SOURCE), text(templates, SOURCE, values));
      written++;
    }
    written += writeTypes(templates, SCATTER, "Radix", List.of("Byte", "Int", "Long"), args[1]);
    for (String rules : RULES) {
      written += writeTypes(templates, rules, "", List.of("Float", "Double"), args[1]);
    }
    if (written == 0) {
      System.err.println("no template in " + templates.toAbsolutePath());
      System.exit(2);
    }
  }

  private static boolean isIn(Path templates, String source) {
    return Files.isRegularFile(templates.resolve(source + ".ftl"));
  }

  /** Writes what a template, if it is there, says of each type, and says of how many. */
  private static int writeTypes(
      Path templates, String source, String before, List<String> types, String to)
      throws IOException, TemplateException {
    if (!isIn(templates, source)) {
      return 0;
    }
    for (String type : types) {
      String named =
          before.isEmpty()
              ? source.replace(types.getFirst(), type)
              : source.replace(before, type + before);
      write(Path.of(to, named), text(templates, source, Map.of("type", type)));
    }
    return types.size();
  }

  private static String text(Path templates, String source, Map<String, Object> values)
      throws IOException, TemplateException {
    Configuration configuration = new Configuration(Configuration.VERSION_2_3_34);
    configuration.setDirectoryForTemplateLoading(templates.toFile());
    configuration.setDefaultEncoding("UTF-8");
    configuration.setNumberFormat("computer");
    configuration.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
    configuration.setLogTemplateExceptions(false);
    StringWriter text = new StringWriter();
    configuration.getTemplate(source + ".ftl").process(values, text);
    String name = Path.of(source + ".ftl").getFileName().toString();
    return "// Written from %s at build time; do not edit.%n%s".formatted(name, text).strip()
        + "\n";
  }

  private static void write(Path file, String text) throws IOException {
    boolean changed = !Files.exists(file) || !Files.readString(file).equals(text);
    if (changed) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
    System.out.printf("%s: written=%d%n", file.getFileName(), changed ? 1 : 0);
  }
}
