/**
 * Columns of tables as Java arrays: of CSV and Parquet files, and of queries.
 *
 * <p>DuckDB's JDBC driver reads them, which is not among Funnel's own dependencies: {@link
 * funnel.columns.Columns} says what to add.
 */
@NullMarked
package funnel.columns;

import org.jspecify.annotations.NullMarked;
