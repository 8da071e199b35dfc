package funnel.heat;

/**
 * A field has a value that it cannot have; the message has it and its node.
 *
 * {@snippet class="funnel.docs.HeatSnippets" region="field"}
 */
public final class HeatFieldException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  HeatFieldException(String field, int i, int j, double value, String wanted) {
    super("%s at node (%d, %d) is %s: %s wanted".formatted(field, i, j, value, wanted));
  }
}
