package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.columns.DuckDb;
import funnel.operation.Target;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ColumnsSnippetsTest {

  @TempDir Path folder;

  @Test
  void examples() throws IOException, SQLException {
    DuckDb.require();
    Path csv = Files.writeString(folder.resolve("prices.csv"), "shop,price\n7,3.5\n2,4\n7,1\n");
    Path parquet = folder.resolve("prices.parquet");
    DuckDb.run("COPY (FROM '%s') TO '%s'".formatted(csv, parquet));
    Path cities = Files.writeString(folder.resolve("cities.csv"), "city,n\nUlm,1\n,2\nUlm,3\n");
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertEquals(4, ColumnsSnippets.highest(funnel, csv));
      assertArrayEquals(new float[] {4, 3.5f}, ColumnsSnippets.highest(funnel, parquet, 2));
      assertEquals(8.5, ColumnsSnippets.total(funnel, parquet));
      Path sales =
          Files.writeString(
              folder.resolve("sales.csv"), "customer,amount\nb,1.5\na,2\nb,0.7\nc,1\n");
      assertEquals(List.of("b", "a"), ColumnsSnippets.best(funnel, sales, 2));
      assertEquals(Map.of("Ulm", 2L, "nowhere", 1L), ColumnsSnippets.cities(funnel, cities));
      Path gaps = Files.writeString(folder.resolve("gaps.csv"), "shop,price\n2,\n1,1.5\n2,7\n");
      assertEquals(8.5, ColumnsSnippets.sumOfPrices(funnel, gaps));
      assertArrayEquals(new double[] {1.5, 7}, ColumnsSnippets.firstPrices(gaps));
      Path tsv = Files.writeString(folder.resolve("t.tsv"), "1\t2\t0.5\n3\t4\t7\n");
      assertArrayEquals(new double[] {0.5, 7}, ColumnsSnippets.third(tsv));
    }
  }

  private String shops(String lines) throws IOException {
    return ColumnsSnippets.shops(Files.writeString(folder.resolve("shops.csv"), lines));
  }

  @Test
  void refused() throws IOException {
    DuckDb.require();
    assertEquals("shops [7, 2]", shops("shop\n7\n2\n"));
    assertTrue(shops("store\n7\n").startsWith("another table"));
    assertTrue(shops("shop\nx\n").startsWith("no ints"));
    assertTrue(shops("shop,a\n7,1\n,1\n").startsWith("a row without a shop"));
    assertTrue(shops("shop,a\n" + "7,1\n".repeat(30_000) + "7\n").startsWith("a line that is"));
  }

  @Test
  void arrow() {
    try (Arena arena = Arena.ofConfined();
        Funnel funnel = Funnel.open(Target.JVM)) {
      var vector = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 3, 1, 4);
      assertEquals(8, funnel.sumAsDouble(ColumnsSnippets.ofArrow(vector.address(), 3)));
    }
  }
}
