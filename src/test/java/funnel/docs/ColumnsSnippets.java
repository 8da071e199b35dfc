package funnel.docs;

import funnel.Array.Found;
import funnel.Doubles;
import funnel.Elements;
import funnel.Funnel;
import funnel.Groups;
import funnel.Ints;
import funnel.columns.ColumnException;
import funnel.columns.ColumnTypeException;
import funnel.columns.Columns;
import funnel.columns.DuckDbUnavailableException;
import funnel.columns.MissingValueException;
import funnel.columns.NoSuchColumnException;
import funnel.columns.Rows;
import funnel.group.Aggregate;
import funnel.group.Dictionary;
import funnel.group.GroupBy;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The examples of the package {@code funnel.columns}. */
final class ColumnsSnippets {

  private ColumnsSnippets() {}

  // @start region="columns"
  /** The highest price, and that of each shop above a price, in the order of the shops. */
  static float highest(Funnel funnel, Path csv) throws IOException {
    return funnel.max(Columns.csv(csv).floats("price"));
  }

  static float[] highest(Funnel funnel, Path parquet, int above) throws IOException {
    Rows rows =
        Columns.sql("SELECT shop, price FROM '%s' WHERE price > %s".formatted(parquet, above))
            .read();
    return funnel
        .run(
            GroupBy.of(Aggregate.max(1)),
            Elements.of(rows.ints("shop")),
            Elements.of(rows.floats("price")))
        .floats("result_1");
  }

  // @end

  // @start region="encoded"
  /** The customers with the largest revenues, the largest first. */
  static List<String> best(Funnel funnel, Path csv, int most) throws IOException {
    Rows rows = Columns.csv(csv).read("customer", "amount");
    Dictionary.Encoded<String> customers = rows.encoded("customer");
    Groups<Ints> byCustomer = funnel.of(customers.keys()).groupBy();
    Found<Doubles> top = byCustomer.sum(funnel.of(rows.doubles("amount"))).largest(most);
    int[] keys = byCustomer.keys().at(top.positions()).toArray();
    return customers.dictionary().items(keys);
  }

  // @end

  // @start region="pieces"
  /** How often each city is in a table of any length, where some rows have none. */
  static Map<String, Long> cities(Funnel funnel, Path csv) throws IOException {
    Columns table = Columns.csv(csv);
    Map<String, Long> counts = new HashMap<>();
    table.forEach(
        1 << 20,
        rows -> {
          List<String> cities = rows.strings("city", "nowhere");
          Dictionary<String> distinct = Dictionary.of(cities);
          int[] keys = distinct.keys(cities);
          int[] ofKeys =
              funnel.run(GroupBy.of(Aggregate.count()), Elements.of(keys)).ints("result_1");
          for (int key = 0; key < ofKeys.length; key++) {
            counts.merge(distinct.get(key), (long) ofKeys[key], Long::sum);
          }
        },
        "city");
    return counts;
  }

  // @end

  // @start region="numbers"
  /** The sum of a column of doubles, which is not copied. */
  static double total(Funnel funnel, Path parquet) throws IOException {
    Rows rows = Columns.parquet(parquet).read("price");
    return funnel.sumAsDouble(Elements.of(rows.numbers("price"), ElementType.DOUBLE));
  }

  // @end

  // @start region="separated"
  /** The third column of a file of tab-separated values without names. */
  static double[] third(Path tsv) throws IOException {
    return Columns.csv(tsv, "\t", false).doubles("column2");
  }

  // @end

  // @start region="present"
  /** The sum of the prices that are there. */
  static double sumOfPrices(Funnel funnel, Path csv) throws IOException {
    return funnel.sum(Columns.csv(csv).present("price").doubles("price"));
  }

  // @end

  // @start region="expression"
  /** The first price of each shop, in the order of the shops. */
  static double[] firstPrices(Path csv) throws IOException {
    String prices = Columns.csv(csv).present("price").expression();
    return Columns.sql(
            "SELECT first(price) AS price FROM %s GROUP BY shop ORDER BY shop".formatted(prices))
        .doubles("price");
  }

  // @end

  // @start region="refused"
  /** The shops of a table, or what is wrong with it. */
  static String shops(Path csv) throws IOException {
    try {
      return "shops " + Arrays.toString(Columns.csv(csv).ints("shop"));
    } catch (NoSuchColumnException e) {
      return "another table: " + e.getMessage();
    } catch (ColumnTypeException e) {
      return "no ints: " + e.getMessage();
    } catch (MissingValueException e) {
      return "a row without a shop: " + e.getMessage();
    } catch (ColumnException e) {
      return "a line that is wrong: " + e.getMessage();
    } catch (DuckDbUnavailableException e) {
      return "what is to be added: " + e.getMessage();
    }
  }

  // @end

  // @start region="arrow"
  /** Floats of an Arrow vector, where they are: {@code address} is that of its data buffer. */
  @SuppressWarnings("restricted") // that there are so many is the vector's to say
  static Elements ofArrow(long address, int length) {
    return Elements.of(
        MemorySegment.ofAddress(address).reinterpret((long) Float.BYTES * length),
        ElementType.FLOAT);
  }
  // @end
}
