package funnel.select;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.TwinClass;
import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.scan.ScanForm;
import funnel.transform.Elementwise;
import funnel.transform.GatherStep;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What decides whether an element is kept: a predicate, flags, or that it differs from the one
 * before.
 *
 * @param before computes the input, if a function decides
 * @param by a constant of the kernels
 * @param input the elements, bytes or bits that it reads
 * @param keeps whether elements for which it holds are kept, or the others
 * @param form how a device computes it, if the caller named a form
 */
record Criterion(
    List<Primitive> before,
    int by,
    @Nullable Transform predicate,
    Input input,
    boolean keeps,
    @Nullable ScanForm form) {

  static Transform requireTest(Transform predicate) {
    Objects.requireNonNull(predicate, "predicate");
    if (!predicate.isTest()) {
      throw new IllegalArgumentException(
          "transform %s is not a predicate: make it with Transform.test%s"
              .formatted(predicate, "Int, testLong, testFloat or testDouble"));
    }
    return predicate;
  }

  /** A predicate of an input's elements, or flags in it if there is none. */
  static Criterion of(
      Operation operation,
      @Nullable Transform predicate,
      Input input,
      boolean keeps,
      @Nullable ScanForm form) {
    if (predicate != null) {
      predicate.requireOver(input.name(), input.type());
      return new Criterion(List.of(), IntSelectKernels.TEST, predicate, input, keeps, form);
    }
    int by =
        switch (input.type()) {
          case BYTE -> IntSelectKernels.FLAGS;
          case INT -> IntSelectKernels.BITS;
          default ->
              throw new IllegalArgumentException(
                  "%s takes flags as bytes, or as bits of ints; %s is of type %s"
                      .formatted(operation, input.name(), input.type()));
        };
    return new Criterion(List.of(), by, null, input, keeps, form);
  }

  /** The values of a function of some inputs, as flags. */
  static Criterion of(
      String output, Elementwise function, List<Input> of, boolean keeps, @Nullable ScanForm form) {
    String flags = output + ".flags";
    List<Primitive> before = function.to(ElementType.BYTE).expand(flags, of).primitives();
    int capacity = before.getFirst().asIs().layout().arrays().getFirst().length();
    Input input = new Input(flags, ElementType.BYTE, capacity);
    return new Criterion(before, IntSelectKernels.FLAGS, null, input, keeps, form);
  }

  /** The criterion that a byte is not 0. */
  static Criterion flags(Input flags) {
    return new Criterion(List.of(), IntSelectKernels.FLAGS, null, flags, true, null);
  }

  /** The criterion that an element differs from the one before, or is the first. */
  static Criterion heads(Input input, @Nullable ScanForm form) {
    return new Criterion(List.of(), IntSelectKernels.HEADS, null, input, true, form);
  }

  SelectStep select(String id, Input elements, SelectStep.Names names) {
    return new SelectStep(
        id, elements, by, predicate, null, input.name(), keeps, names, form, elements.capacity());
  }

  /** The selection, after the primitive that computes the flags if a function decides. */
  Primitive whole(String output, SelectStep select) {
    if (before.isEmpty()) {
      return select;
    }
    List<Primitive> parts = new ArrayList<>(before);
    parts.add(select);
    Set<String> visible = new HashSet<>();
    select.asIs().layout().arrays().forEach(array -> visible.add(array.name()));
    return Composite.of(output, parts, visible);
  }

  /** The elements of each column at the kept positions: finds positions once, then gathers. */
  Expansion rows(String output, List<Input> columns, boolean hasPositions) {
    boolean isFlags = by == IntSelectKernels.FLAGS || by == IntSelectKernels.BITS;
    Input base = isFlags ? columns.getFirst() : input;
    int own = columns.stream().map(Input::name).toList().indexOf(base.name());
    String positions = output + (hasPositions ? "_positions" : ".positions");
    SelectStep.Names names =
        new SelectStep.Names(
            own < 0 ? null : column(output, own),
            own >= 0 && columns.size() == 1 && !hasPositions ? null : positions,
            null,
            false);
    List<Primitive> parts = new ArrayList<>(before);
    parts.add(select(output + ".rows", base, names));
    Set<String> visible = new HashSet<>(hasPositions ? Set.of(positions) : Set.of());
    for (int i = 0; i < columns.size(); i++) {
      Input column = columns.get(i);
      visible.add(column(output, i));
      if (i != own) {
        parts.add(
            new GatherStep(
                column(output, i),
                column.name(),
                positions,
                null,
                base.name(),
                column.type(),
                base.capacity()));
      }
    }
    return new Expansion(List.of(Composite.of(output, parts, visible)), List.of());
  }

  private static String column(String output, int i) {
    return output + "_" + (i + 1);
  }

  /**
   * The JVM loops over elements of a type, with the functions in them. The operator's code is 1 if
   * matching elements are kept, else 0.
   */
  static <T> T loops(
      Class<T> as,
      Class<?> master,
      ElementType type,
      int by,
      boolean keeps,
      List<Transform> functions) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    return FunctionCopies.loops(
        lookup,
        as,
        TwinClass.of(lookup, master, type),
        Map.of(
            "transform()I", new KernelCopies.Constant(by),
            "operator()I", new KernelCopies.Constant(keeps ? 1 : 0)),
        functions);
  }
}
