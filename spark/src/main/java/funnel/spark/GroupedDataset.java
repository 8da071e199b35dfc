package funnel.spark;

import funnel.group.Aggregate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructField;

/** Groups of a data set's rows with equal keys; {@link FunnelDataset#groupBy} makes them. */
public final class GroupedDataset {

  private static final String PARTITIONS = "spark.sql.shuffle.partitions";

  private final FunnelSpark funnel;
  private final Dataset<?> dataset;
  private final int rows;
  private final List<String> keys;

  GroupedDataset(FunnelSpark funnel, Dataset<?> dataset, int rows, List<String> keys) {
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("groupBy without columns: name one of the keys at least");
    }
    this.funnel = funnel;
    this.dataset = dataset;
    this.rows = rows;
    this.keys = keys;
  }

  /**
   * A data set with a row for each group: its keys, then the aggregates. For the rows (7, 3), (9,
   * 4) and (7, 1) of the columns shop and cents, {@code groupBy("shop").agg(sum("cents"), count())}
   * has the rows (7, 4, 2) and (9, 4, 1) of the columns shop, sum(cents) and count. Without
   * aggregates it has the distinct keys, without rows it is empty.
   *
   * <p>Rows are in no particular order, as those of Spark's groups; call {@code orderBy} after it.
   * They are in as many partitions as the data set's, but at most {@code
   * spark.sql.shuffle.partitions}. They are computed when they are asked for, and each time again:
   * cache them to read them several times.
   *
   * @throws IllegalArgumentException if there is no such column, a column is of a type that Funnel,
   *     the keys or an aggregate do not support, or two columns of the result have one name
   */
  public Dataset<Row> agg(ColumnAggregate... aggregates) {
    List<String> columns =
        Stream.of(aggregates).flatMap(each -> Stream.ofNullable(each.column())).distinct().toList();
    List<String> all = new ArrayList<>(keys);
    all.addAll(columns);
    ColumnChunks.Columns read = ColumnChunks.of(dataset, all, rows);
    List<StructField> fields = new ArrayList<>();
    for (int k = 0; k < keys.size(); k++) {
      StructField key = read.fields().get(k);
      if (read.types()[k].element.isFloating()) {
        throw new IllegalArgumentException(
            "groupBy: column %s is of type %s, but keys are int, bigint, date or timestamp"
                .formatted(key.name(), key.dataType().simpleString()));
      }
      fields.add(new StructField(key.name(), key.dataType(), false, key.metadata()));
    }
    Groups groups =
        funnel.groups(
            read.rdd(),
            read.types(),
            keys.size(),
            partitions(read.rdd().getNumPartitions()),
            Stream.of(aggregates)
                .map(each -> each.numbered(columns.indexOf(each.column()) + 1))
                .toArray(Aggregate[]::new));
    for (ColumnAggregate each : aggregates) {
      StructField of =
          each.column() == null
              ? null
              : read.fields().get(keys.size() + columns.indexOf(each.column()));
      fields.add(each.field(of, groups.type(fields.size())));
    }
    Set<String> names = new HashSet<>();
    for (StructField field : fields) {
      if (!names.add(field.name())) {
        throw new IllegalArgumentException(
            "two columns of the result are named %s: name one of them, with as"
                .formatted(field.name()));
      }
    }
    return ArrayRows.dataset(
        dataset.sparkSession(), groups.rdd(), fields.toArray(StructField[]::new));
  }

  private int partitions(int before) {
    int most = Integer.parseInt(dataset.sparkSession().conf().get(PARTITIONS));
    return Math.max(1, Math.min(before, most));
  }
}
