package funnel.jobs;

import funnel.Array.Runs;
import funnel.Funnel;
import funnel.Ints;
import funnel.Table;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows of two columns: selects rows, sorts them, removes duplicates, and counts each. */
public final class Rows {

  private static final int CUSTOMERS = 1_000_000;
  private static final int AMOUNTS = 1000;

  /** The least amount of a large purchase, in the job as it is measured. */
  public static final int LARGE = 500;

  private Rows() {}

  /** Purchases in the order in which they were made. */
  public record Data(int[] customers, int[] amounts) {}

  /** Customers with a large purchase, ascending: the first one of each, and how many there are. */
  public record Summary(int[] customers, int[] first, int[] counts) {}

  /** The job: purchases of {@code least} are large. */
  public static Summary summary(Funnel funnel, Ints customers, Ints amounts, int least) {
    Table large = funnel.table(customers, amounts).filter(amounts, amount -> amount >= least);
    Table sorted = large.sortedBy(customers);
    Runs<Ints> runs = sorted.of(customers).runs();
    Ints first = sorted.of(amounts).at(runs.starts());
    return funnel.read(runs.values(), first, runs.lengths(), Summary::new);
  }

  /** Random purchases from a seed. */
  public static Data data(int count, long seed) {
    int[] customers = new int[count];
    int[] amounts = new int[count];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < count; i++) {
      customers[i] = random.nextInt(CUSTOMERS);
      amounts[i] = random.nextInt(AMOUNTS);
    }
    return new Data(customers, amounts);
  }

  /** Prints the first customers of the given number of purchases, or of 20 million. */
  public static void main(String[] arguments) {
    Screen.run("Rows", arguments, 20_000_000, Rows::print);
  }

  private static void print(Funnel funnel, int count) throws Exception {
    Data rows = data(count, 1);
    IO.println(
        String.format(
            Locale.ROOT,
            "%,d purchases: those of %s or more, by customer, the first one and their number",
            count,
            LARGE));
    Summary summary =
        Screen.beside(
            funnel,
            () -> summary(funnel, funnel.of(rows.customers), funnel.of(rows.amounts), LARGE),
            () ->
                IntStream.range(0, count)
                    .parallel()
                    .filter(i -> rows.amounts[i] >= LARGE)
                    .boxed()
                    .collect(Collectors.groupingBy(i -> rows.customers[i], Collectors.counting())));
    IO.println("customers: " + summary.customers.length);
    for (int i = 0; i < Math.min(10, summary.customers.length); i++) {
      IO.println(
          "customer %s: %s purchases, the first of %s"
              .formatted(summary.customers[i], summary.counts[i], summary.first[i]));
    }
  }
}
