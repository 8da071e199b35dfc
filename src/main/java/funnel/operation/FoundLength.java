package funnel.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A length that kernels find, and the ints of a routine's primitives that follow from it: one
 * launch derives them all, before the first primitive that needs any.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="found"}
 *
 * @param found the result that gives the length
 * @param needs what follows from it
 * @param tableAt where a table of these begins in the array of lengths
 */
public record FoundLength(String found, List<Need> needs, int tableAt) {

  /** Ints of a need in the table. */
  static final int INTS = 3;

  /**
   * Ints of a primitive that follow from the length of one of its inputs.
   *
   * @param input the input
   * @param found the result that gives its length
   * @param shapeAt where the primitive's own ints begin in the array of lengths
   * @param rulesAt where the rules begin after these
   * @param rules their number
   */
  public record Need(String input, String found, int shapeAt, int rulesAt, int rules) {

    /** What a step and its parts need, in the order of their launches. */
    public static List<Need> of(Step step, DeviceArrays arrays, int shapeAt) {
      List<Need> needs = new ArrayList<>();
      int partAt = shapeAt;
      for (Step part : step.parts()) {
        needs.addAll(of(part, arrays, partAt));
        partAt += part.wholeShape(arrays).length;
      }
      Map<String, Map<Integer, LengthRule>> derived = step.layout().derived();
      if (derived.keySet().stream().anyMatch(input -> arrays.found(input) != null)) {
        int rulesAt = step.shape(arrays).length;
        for (Map.Entry<String, Map<Integer, LengthRule>> input : derived.entrySet()) {
          int rules = input.getValue().size();
          String found = arrays.found(input.getKey());
          if (found != null) {
            needs.add(new Need(input.getKey(), found, shapeAt + step.intsBefore(), rulesAt, rules));
          }
          rulesAt += rules * LengthRule.INTS;
        }
      }
      return needs;
    }
  }

  /** Copies the list. */
  public FoundLength {
    needs = List.copyOf(needs);
  }

  /** The table. */
  public List<Integer> table() {
    return needs.stream()
        .flatMap(need -> List.of(need.shapeAt(), need.rulesAt(), need.rules()).stream())
        .toList();
  }
}
