package funnel.scan;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Requirement;
import funnel.operator.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Where segments of given lengths begin, for {@link Segments#byOffsets}: 0, 2 for 2, 3.
 *
 * <p>Inputs are the lengths, ints, and the array that the segments are of. If the lengths do not
 * add up to its length, a run is refused with a {@link SegmentOffsetsException}. Cost: that of an
 * exclusive {@link Scan}. Immutable.
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="lengths"}
 */
public record LengthOffsets() implements Operation {

  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.size() != 2) {
      throw new IllegalArgumentException(
          "%s take 2 inputs, the lengths and the array of the segments, given=%s"
              .formatted(this, inputs.size()));
    }
    Input lengths = inputs.getFirst();
    Input values = inputs.getLast();
    Scan scan = Scan.exclusive(Operator.SUM);
    List<Primitive> parts = new ArrayList<>(scan.expand(output, List.of(lengths)).primitives());
    parts.add(
        new Requirement(
            output + ".required",
            ScanStep.total(output),
            values.name(),
            (total, length) -> {
              if (total.intValue() != length) {
                throw new SegmentOffsetsException(lengths.name(), total.intValue(), length);
              }
            }));
    return new Expansion(List.of(Composite.of(output, parts, Set.of(output))), List.of());
  }

  @Override
  public String toString() {
    return "offsets of lengths";
  }
}
