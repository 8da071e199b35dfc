package funnel.columns;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A table has no column of the requested name.
 *
 * {@snippet class="funnel.docs.ColumnsSnippets" region="refused"}
 */
public final class NoSuchColumnException extends ColumnException {
  private static final long serialVersionUID = 1L;

  NoSuchColumnException(String table, String column, List<String> there) {
    super(
        "%s has no column '%s'; there are %s"
            .formatted(
                table,
                column,
                there.stream().map("'%s'"::formatted).collect(Collectors.joining(", "))),
        null);
  }
}
