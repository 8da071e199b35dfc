package funnel.plan;

import funnel.Elements;
import funnel.engine.KeptArrays;
import funnel.engine.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The arrays in which the functions of a program look up elements in a run, by the names of inputs.
 *
 * @param given those of Java, which are copied to a device
 * @param kept those that are kept, which stay where they are
 * @param acquired these, to be released
 */
public record LookedUp(
    Map<String, Elements> given, Map<String, KeptArrays.Part> kept, List<Kept> acquired)
    implements AutoCloseable {

  /**
   * Those of a program, as they are now.
   *
   * @param owner the Funnel's, which that of kept arrays must be
   * @throws IllegalStateException if one is closed
   */
  public static LookedUp of(Program program, Guard owner) {
    LookedUp all = new LookedUp(new HashMap<>(), new HashMap<>(), new ArrayList<>());
    try {
      program
          .lookUps()
          .forEach(
              (input, each) -> {
                if (each.array() instanceof Kept table) {
                  all.kept.put(input, new KeptArrays.Part(table.acquire(owner), 0, table.length()));
                  all.acquired.add(table);
                } else {
                  all.given.put(input, Elements.ofArray(each.elements()));
                }
              });
      return all;
    } catch (RuntimeException | Error e) {
      all.close();
      throw e;
    }
  }

  @Override
  public void close() {
    acquired.forEach(Kept::release);
  }
}
