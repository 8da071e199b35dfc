package funnel.compiled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

  private final Map<String, String> properties = new HashMap<>();
  private final Map<String, String> variables = new HashMap<>();

  @BeforeEach
  void onLinux() {
    properties.put("os.name", "Linux");
    properties.put("user.home", at("/home/ada"));
  }

  /** An absolute path on this system, of one that begins with a slash. */
  private static String at(String path) {
    return Path.of("/").toAbsolutePath() + path.substring(1);
  }

  private Settings settings() {
    return Settings.of(properties::get, variables::get);
  }

  private void assertFolder(String expected) {
    assertEquals(Path.of(at(expected)), settings().folder());
  }

  @Test
  void whatIsNamedMoreCloselyGoesFirst() {
    assertFolder("/home/ada/.cache/funnel/kernels");
    variables.put("XDG_CACHE_HOME", at("/caches"));
    assertFolder("/caches/funnel/kernels");
    variables.put(Settings.FOLDER_VARIABLE, at("/variable"));
    assertFolder("/variable");
    properties.put(Settings.FOLDER, at("/property/./x/../kernels"));
    assertFolder("/property/kernels");
    properties.put(Settings.FOLDER, " ");
    assertFolder("/variable");
    variables.put(Settings.FOLDER_VARIABLE, "");
    assertFolder("/caches/funnel/kernels");
    variables.put("XDG_CACHE_HOME", "relative");
    assertFolder("/home/ada/.cache/funnel/kernels");
  }

  @ParameterizedTest
  @CsvSource({
    "Mac OS X,/home/ada/Library/Caches/funnel/kernels",
    "Windows 11,/local/funnel/kernels",
    "FreeBSD,/home/ada/.cache/funnel/kernels"
  })
  void cacheFolderOfEachSystem(String system, String expected) {
    properties.put("os.name", system);
    variables.put("LOCALAPPDATA", at("/local"));
    assertFolder(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?", "relative"})
  void withoutHome_thereIsNone(String home) {
    properties.put("user.home", home);
    assertNull(settings().folder());
    assertTrue(settings().origin().contains("no home"));
  }

  @Test
  void off() {
    variables.put(Settings.FOLDER_VARIABLE, "off");
    assertNull(settings().folder());
    assertTrue(settings().origin().contains(Settings.FOLDER_VARIABLE), settings().origin());
    properties.put(Settings.FOLDER, at("/property"));
    assertFolder("/property");
    properties.put(Settings.FOLDER, "off");
    variables.put(Settings.FOLDER_VARIABLE, at("/variable"));
    assertNull(settings().folder());
  }

  @ParameterizedTest
  @ValueSource(strings = {"kernels", "~/kernels", "./x", "/x\0y"})
  void notAbsolute(String path) {
    variables.put(Settings.FOLDER_VARIABLE, path);
    String said = assertThrows(IllegalArgumentException.class, this::settings).getMessage();
    assertTrue(said.contains("environment variable FUNNEL_KERNELS=" + path), said);
    properties.put(Settings.FOLDER, path);
    said = assertThrows(IllegalArgumentException.class, this::settings).getMessage();
    assertTrue(said.contains("property funnel.kernels=" + path), said);
  }

  @Test
  void megabytes() {
    assertEquals(256L << 20, settings().mostBytes());
    properties.put(Settings.MEGABYTES, "5000");
    assertEquals(5000L << 20, settings().mostBytes());
    for (String wrong : new String[] {"0", "-1", "many", "99999999999"}) {
      properties.put(Settings.MEGABYTES, wrong);
      String said = assertThrows(IllegalArgumentException.class, this::settings).getMessage();
      assertTrue(said.contains("funnel.kernels.megabytes=" + wrong), said);
    }
  }
}
