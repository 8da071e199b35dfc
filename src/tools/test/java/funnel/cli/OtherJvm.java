package funnel.cli;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM beside this one, with its class path and its access to the JDK, that soon has begun. */
public final class OtherJvm {

  private OtherJvm() {}

  /** The command that runs a class's main method there. */
  public static List<String> command(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(
            o ->
                o.startsWith("--add-exports=java.base/")
                    || o.equals("--enable-native-access=ALL-UNNAMED"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-Djava.awt.headless=true",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
