package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.group.Join;
import funnel.operator.ElementType;
import funnel.transform.Gather;
import java.util.Map;

/** The examples of joins. */
final class JoinSnippets {

  private JoinSnippets() {}

  // @start region="join"
  /** The price of each order whose article has one, by the numbers of the articles. */
  static float[] prices(Funnel funnel, int[] orders, int[] articles, float[] prices) {
    try (Plan plan =
        funnel
            .plan("prices")
            .input("orders", ElementType.INT, orders.length)
            .input("articles", ElementType.INT, articles.length)
            .input("prices", ElementType.FLOAT, prices.length)
            .add("pairs", Join.inner(orders.length), "orders", "articles") // an article has one row
            .add("paid", Gather.at(), "prices", "pairs_right")
            .build()) {
      Results results =
          plan.run(
              Map.of(
                  "orders", Elements.of(orders),
                  "articles", Elements.of(articles),
                  "prices", Elements.of(prices)));
      return results.floats("paid"); // of the orders at ints("pairs_left")
    }
  }
  // @end
}
