package funnel.build;

import freemarker.template.TemplateException;
import java.io.IOException;

/**
 * Writes, at build time, all sources that are written: kernels of templates, and twins and
 * overloads of masters.
 *
 * <p>Usage: {@code SourceWriter <folder of main sources> <folder of written sources>}.
 */
public final class SourceWriter {

  private SourceWriter() {}

  /**
   * Writes the sources.
   *
   * @param args the folder with {@code templates} and {@code java}, and that for both
   * @throws IOException if a file cannot be read or written
   * @throws TemplateException if a template is wrong
   */
  public static void main(String[] args) throws IOException, TemplateException {
    if (args.length != 2) {
      System.err.println("usage: SourceWriter <folder of main sources> <folder of written ones>");
      System.exit(2);
    }
    TemplateWriter.main(new String[] {args[0] + "/templates", args[1] + "/templates"});
    TwinWriter.main( // ends the process
        new String[] {
          args[0] + "/java", args[0] + "/templates", args[1] + "/twins", "--named=src/main/java"
        });
  }
}
