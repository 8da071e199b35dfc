package funnel;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

/** What is delivered, without tests: read once for all tests of a process. */
public final class MainClasses {

  public static final JavaClasses ALL =
      new ClassFileImporter()
          .importUrl(Funnel.class.getProtectionDomain().getCodeSource().getLocation());

  private MainClasses() {}
}
