package funnel.spark;

import funnel.histogram.Histogram;
import funnel.operation.Operation;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.resource.ResourceInformation;

/**
 * What the tasks of an executor do with a partition, in a plain JVM without a cluster: the work
 * comes serialized, and with a context that has a GPU, which is the argument, 0 unless given. As a
 * program it compares results with those of tasks without one.
 */
final class ExecutorWork {

  private static final int LENGTH = 1 << 22;

  /** What a task does with the chunks of its partition. */
  interface Work extends Function<Iterator<?>, Iterator<?>>, Serializable {}

  private ExecutorWork() {}

  private static int firstNonZero(int left, int right) {
    return left != 0 ? left : right;
  }

  private static List<int[]> ints(int length) {
    Random random = new Random(20);
    return Stream.of(length, 0, 5, length - 3)
        .map(each -> random.ints(each, -1000, 1 << 20).toArray())
        .toList();
  }

  private static List<float[]> floats(int length) {
    return ints(length).stream()
        .map(
            chunk -> {
              float[] floats = new float[chunk.length];
              for (int i = 0; i < chunk.length; i++) {
                floats[i] = chunk[i] / 3f;
              }
              return floats;
            })
        .toList();
  }

  /** Over ints. */
  private static Map<String, Work> works(int length) {
    ChunkType type = ChunkType.INTS;
    Map<String, Work> works = new LinkedHashMap<>();
    works.put("sum", ofParts(Reduction.sumAsLong(), type));
    Operator own = Operator.ofInt("first non-zero", 0, ExecutorWork::firstNonZero);
    works.put("operator of the user's", ofParts(Reduction.of(own), type));
    works.put("place", ofParts(Reduction.argMax(), type));
    works.put("histogram", ofParts(Histogram.even(100, 0, 1 << 20), type));
    ChunkScan scan = new ChunkScan(Scan.inclusive(Operator.SUM), type);
    works.put("totals", chunks -> List.of(scan.totals(chunks).next()._2()).iterator());
    int[][] lengths = {ints(length).stream().mapToInt(chunk -> chunk.length).toArray()};
    int[] before = {7, 8, 9, 10};
    works.put("scan", chunks -> scan.new Scanned(0, lengths, before, chunks));
    Transform positive = Transform.testInt("positive", x -> x > 0);
    works.put(
        "select",
        each(
            chunk ->
                type.read(
                    TaskFunnel.get().run(Select.where(positive), type.elements(chunk)), "result")));
    works.put("sort", each(chunk -> type.sorted(TaskFunnel.get(), chunk)));
    return works;
  }

  /** The outputs from the parts of chunks. */
  private static Work ofParts(Operation operation, ChunkType type) {
    return work(ChunkParts.of(operation, type));
  }

  private static <P extends Serializable> Work work(ChunkParts<P> parts) {
    return chunks -> {
      List<Object[]> rows = new ArrayList<>();
      chunks.forEachRemaining(chunk -> rows.add(new Object[] {chunk}));
      List<P> all = new ArrayList<>();
      parts.parts(rows.iterator()).forEachRemaining(all::add);
      return new TreeMap<>(parts.outputs(all)).values().iterator();
    };
  }

  private interface OfChunk extends Function<Object, Object>, Serializable {}

  private static Work each(OfChunk work) {
    return chunks -> {
      List<Object> all = new ArrayList<>();
      chunks.forEachRemaining(chunk -> all.add(work.apply(chunk)));
      return all.iterator();
    };
  }

  private static Map<String, Work> ofFloats() {
    return Map.of(
        "sum of floats",
        ofParts(Reduction.sum(), ChunkType.FLOATS),
        "variance of floats",
        ofParts(Reduction.variance(), ChunkType.FLOATS));
  }

  /** What each work comes to in a task; in one without a GPU if that is empty. */
  static Map<String, String> results(String gpu, int length) {
    Map<String, String> results = new LinkedHashMap<>();
    works(length)
        .forEach((name, work) -> results.put(name, inTask(gpu, work, ints(length).iterator())));
    ofFloats()
        .forEach((name, work) -> results.put(name, inTask(gpu, work, floats(length).iterator())));
    return results;
  }

  private static String inTask(String gpu, Work work, Iterator<?> chunks) {
    Work sent = travelled(work);
    return TaskContext.withTaskContext(
        context(gpu),
        () -> {
          List<Object> all = new ArrayList<>();
          sent.apply(chunks).forEachRemaining(all::add);
          return Arrays.deepToString(all.toArray());
        });
  }

  private static TaskContext context(String gpu) {
    var resources =
        gpu.isEmpty()
            ? scala.collection.immutable.Map$.MODULE$.<String, ResourceInformation>empty()
            : new scala.collection.immutable.Map.Map1<>(
                TaskFunnel.GPU, new ResourceInformation(TaskFunnel.GPU, new String[] {gpu}));
    return new TaskContextImpl(0, 0, 0, 0, 0, 1, null, new Properties(), null, null, 1, resources);
  }

  private static Work travelled(Work work) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(work);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (Work) in.readObject();
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Exits with 1 if anything is another on the GPU. */
  public static void main(String[] arguments) {
    String gpu = arguments.length > 0 ? arguments[0] : "0";
    Map<String, String> expected = results("", LENGTH);
    Map<String, String> found = results(gpu, LENGTH);
    System.out.println(
        TaskContext.withTaskContext(context(gpu), () -> TaskFunnel.get().description()));
    found.forEach(
        (name, result) ->
            System.out.println(name + (result.equals(expected.get(name)) ? ": right" : ": WRONG")));
    System.exit(found.equals(expected) ? 0 : 1);
  }
}
