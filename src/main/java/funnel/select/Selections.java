package funnel.select;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.scan.ScanForm;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What selections, partitions and runs have in common: their checks. */
final class Selections {

  private Selections() {}

  static Transform requireTest(Transform predicate) {
    Objects.requireNonNull(predicate, "predicate");
    if (!predicate.isTest()) {
      throw new IllegalArgumentException(
          "transform %s is no predicate: make it with Transform.test%s"
              .formatted(predicate, "Int, testLong, testFloat or testDouble"));
    }
    return predicate;
  }

  static Expansion expand(
      Operation operation,
      String output,
      List<Input> inputs,
      @Nullable Transform predicate,
      boolean keeps,
      TileSelect.Names names,
      @Nullable ScanForm form) {
    int wanted = predicate == null ? 2 : 1;
    if (inputs.size() != wanted) {
      throw new IllegalArgumentException(
          "%s takes %s, given=%d inputs"
              .formatted(
                  operation, wanted == 1 ? "one input" : "elements and flags", inputs.size()));
    }
    Input input = inputs.getFirst();
    ElementType value = input.type() == ElementType.BYTE ? ElementType.INT : input.type();
    if (predicate != null && predicate.type() != value) {
      throw new IllegalArgumentException(
          "predicate %s takes %s, the elements of %s are %s"
              .formatted(predicate, predicate.type(), input.name(), input.type()));
    }
    Input criterion = inputs.getLast();
    int by = predicate == null ? flags(operation, criterion) : IntSelectKernels.TEST;
    TileSelect select =
        new TileSelect(
            output,
            input.name(),
            input.type(),
            by,
            predicate,
            criterion.name(),
            keeps,
            names,
            form == null ? ScanForm.REDUCE_THEN_SCAN : form,
            form != null,
            input.capacity());
    return new Expansion(
        List.of(select),
        operation instanceof Partition
            ? List.of(
                Output.ofResult(
                    output + "_split", ElementType.INT, input.name(), "", select.count()))
            : List.of());
  }

  /** The elements that differ from the one before, and the first. */
  static TileSelect heads(String output, Input input, TileSelect.Names names) {
    return new TileSelect(
        output,
        input.name(),
        input.type(),
        IntSelectKernels.HEADS,
        null,
        input.name(),
        true,
        names,
        ScanForm.REDUCE_THEN_SCAN,
        false,
        input.capacity());
  }

  private static int flags(Operation operation, Input flags) {
    return switch (flags.type()) {
      case BYTE -> IntSelectKernels.FLAGS;
      case INT -> IntSelectKernels.BITS;
      default ->
          throw new IllegalArgumentException(
              "%s takes flags as bytes, or as bits of ints; %s is of type %s"
                  .formatted(operation, flags.name(), flags.type()));
    };
  }
}
