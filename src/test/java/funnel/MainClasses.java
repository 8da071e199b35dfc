package funnel;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import funnel.cli.Main;
import java.net.URL;
import java.util.List;

/** What is delivered, without tests: read once for all tests of a process. */
public final class MainClasses {

  public static final JavaClasses ALL =
      new ClassFileImporter().importUrls(List.of(location(Funnel.class), location(Main.class)));
  public static final JavaClasses LIBRARY = beside(Funnel.class);
  public static final JavaClasses TOOLS = beside(Main.class);

  private MainClasses() {}

  private static URL location(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  /** Those of the same folder or jar. */
  private static JavaClasses beside(Class<?> one) {
    String folder = location(one).getPath();
    return ALL.that(
        describe(
            "in " + folder,
            type -> type.getSource().orElseThrow().getUri().toString().contains(folder)));
  }
}
