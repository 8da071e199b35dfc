package funnel.jobs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.select.Runs;
import funnel.select.Select;
import funnel.sort.Sort;
import funnel.transform.Gather;
import java.util.Map;
import java.util.SplittableRandom;

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

  /**
   * The job, for at most {@code purchases} purchases, of which those of {@code least} are large.
   */
  public static Plan plan(Funnel funnel, int purchases, int least) {
    Transform isLarge = Transform.testInt("large", amount -> amount >= least);
    return funnel
        .plan("rows")
        .input("customer", ElementType.INT, purchases)
        .input("amount", ElementType.INT, purchases)
        .add("large", Select.where(isLarge).rows(), "amount", "customer", "amount")
        .add("sorted", Sort.ascending().rows(), "large_1", "large_1", "large_2")
        .add("runs", Runs.encode(), "sorted_1")
        .add("first", Gather.at(), "sorted_2", "runs_starts")
        .build();
  }

  /** Runs a plan on purchases. */
  public static Summary summary(Plan plan, Data rows) {
    return summary(
        plan.run(
            Map.of(
                "customer", Elements.of(rows.customers()), "amount", Elements.of(rows.amounts()))));
  }

  /** The summary from the results of a run. */
  public static Summary summary(Results run) {
    return new Summary(run.ints("runs"), run.ints("first"), run.ints("runs_lengths"));
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
    int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20_000_000;
    try (Funnel funnel = Funnel.open();
        Plan plan = plan(funnel, count, LARGE)) {
      Summary summary = summary(plan, data(count, 1));
      IO.println("customers: " + summary.customers().length);
      for (int i = 0; i < Math.min(10, summary.customers().length); i++) {
        IO.println(
            "customer %s: %s purchases, the first of %s"
                .formatted(summary.customers()[i], summary.counts()[i], summary.first()[i]));
      }
    }
  }
}
