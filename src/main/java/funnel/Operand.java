package funnel;

import funnel.array.Ref;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What functions take and readings give: an {@link Array}, or a single {@link Value} of one.
 *
 * {@snippet class="funnel.docs.ArraySnippets" region="normalise"}
 */
public abstract sealed class Operand permits Array, Value {

  final Funnel funnel;
  final Ref ref;

  Operand(Funnel funnel, Ref ref) {
    this.funnel = Objects.requireNonNull(funnel, "funnel");
    this.ref = ref;
  }

  /** What other operands compute, which must be of the same Funnel. */
  static Ref[] refs(Funnel funnel, Operand... operands) {
    return Stream.of(operands)
        .map(
            each -> {
              Objects.requireNonNull(each, "one of the arrays or values that were given is null");
              if (each.funnel != funnel) {
                throw new IllegalArgumentException(
                    "%s is of another Funnel: read it, and give it to this one: of(x.toArray())"
                        .formatted(each));
              }
              return each.ref;
            })
        .toArray(Ref[]::new);
  }
}
