package funnel.build;

import com.github.javaparser.JavaToken;
import com.github.javaparser.ast.CompilationUnit;
import com.github.javaparser.ast.Node;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The text of a source with other text in the place of some of its nodes. All else stays on the
 * line that it is on.
 */
final class TwinText {

  /** What stands in the place of tokens. */
  private final Map<JavaToken, String> edits = new IdentityHashMap<>();

  /** Puts a text in a node's place, and keeps the ends of the node's lines. */
  void replace(Node node, String text) {
    for (JavaToken token : node.getTokenRange().orElseThrow()) {
      if (!token.getCategory().isEndOfLine()) {
        edits.put(token, "");
      }
    }
    edits.put(node.getTokenRange().orElseThrow().getBegin(), text);
  }

  /** Removes a node and a space after it. */
  void remove(Node node) {
    replace(node, "");
    node.getTokenRange()
        .flatMap(tokens -> tokens.getEnd().getNextToken())
        .filter(next -> next.getText().equals(" "))
        .ifPresent(space -> edits.put(space, ""));
  }

  /**
   * Replaces a node's last token: of a name or type, what its scope and annotations stand before.
   */
  void replaceLast(Node node, String text) {
    node.getTokenRange().ifPresent(tokens -> edits.put(tokens.getEnd(), text));
  }

  /** The whole text of a unit. */
  String of(CompilationUnit unit) {
    JavaToken token = unit.getTokenRange().orElseThrow().getBegin();
    while (token.getPreviousToken().isPresent()) {
      token = token.getPreviousToken().get();
    }
    StringBuilder text = new StringBuilder();
    for (; token != null; token = token.getNextToken().orElse(null)) {
      text.append(edits.getOrDefault(token, token.getText()));
    }
    return text.toString();
  }
}
