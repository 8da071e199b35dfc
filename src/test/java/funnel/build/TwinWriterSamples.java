package funnel.build;

/** Sources from which {@link TwinWriterTest} has twins written. */
final class TwinWriterSamples {

  /** Stands for TornadoVM's arrays and contexts, and for overloads that tell the types apart. */
  static final String SUPPORT =
      """
      package sample.support;

      import java.util.function.IntFunction;

      public final class Support {
        private Support() {}
        public static int[] allocateIntLocalArray(int n) { return new int[n]; }
        public static long[] allocateLongLocalArray(int n) { return new long[n]; }
        public static float[] allocateFloatLocalArray(int n) { return new float[n]; }
        public static double[] allocateDoubleLocalArray(int n) { return new double[n]; }
        public static byte[] allocateByteLocalArray(int n) { return new byte[n]; }
        public static int size(IntFunction<int[]> made, int n) { return made.apply(n).length; }
        public static int value(byte x) { return x & 0xff; }
        public static int value(int x) { return x; }
        public static long value(long x) { return x; }
        public static float value(float x) { return x; }
      }
      """;

  static final String TOTALS =
      """
      package sample;

      import funnel.jit.Accumulator;
      import funnel.jit.Element;
      import funnel.jit.Twins;
      import funnel.jit.Value;
      import funnel.operator.ElementType;
      import java.lang.foreign.ValueLayout;
      import java.util.ArrayList;
      import java.util.List;
      import java.util.function.IntFunction;
      import java.util.function.IntSupplier;
      import java.util.function.Supplier;
      import sample.support.IntArray;
      import sample.support.IntList;
      import sample.support.Support;

      /** Totals over one pair of types, see {@link IntToIntTotals#total} and IntToIntRows. */
      @Twins({"IntToLong", "FloatToDouble", "ByteToInt", "LongToFloat"})
      public final class IntToIntTotals {
        public static final ElementType ELEMENT = ElementType.INT;
        public static final ElementType ACCUMULATOR = ElementType.INT;
        public static final ValueLayout.@Element OfInt LAYOUT = ValueLayout.JAVA_INT_UNALIGNED;
        public static final ValueLayout.OfInt INDEX_LAYOUT = ValueLayout.JAVA_INT;
        private final @Accumulator int[] kept;

        public record Item(@Element int value, int place) {}

        public IntToIntTotals(int size) {
          this.kept = Support.allocateIntLocalArray(size);
        }

        public static @Accumulator int total(@Element int[] values) {
          @Accumulator int total = (@Accumulator int) 0;
          for (@Element int value : values) {
            total += (@Accumulator int) Support.value(value);
          }
          return total;
        }

        public static @Value int value(@Element int x) {
          @Value int value = Support.value(x);
          return value;
        }

        public static int mixed(
            @Element IntArray a, @Accumulator IntArray b, IntArray c, IntList d) {
          return a.get(0).getClass().getSimpleName().length();
        }

        public static @Accumulator int[] arrays(int n) {
          int[] plain;
          @Accumulator int[] first, second = new @Accumulator int[n];
          plain = Support.allocateIntLocalArray(n);
          first = Support.allocateIntLocalArray(n);
          IntFunction<@Accumulator int[]> made = @Accumulator int[]::new;
          IntSupplier unmarked = () -> {
            int[] first2 = Support.allocateIntLocalArray(n);
            return first2.length;
          };
          Supplier<@Accumulator int[]> marked =
              () -> (@Accumulator int[]) Support.allocateIntLocalArray(n);
          List<@Accumulator Integer> boxed = new ArrayList<>();
          boxed.add((@Accumulator int) 7);
          second[n - 1] = boxed.get(0);
          first[0] = (@Accumulator int) plain.length;
          return n == unmarked.getAsInt() && made.apply(n).length == marked.get().length
              ? second : first;
        }

        public @Accumulator int[] kept() {
          return kept;
        }

        public static @Accumulator int[] fresh(int n) {
          IntFunction<int[]> plain = k -> {
            return Support.allocateIntLocalArray(k);
          };
          @Accumulator int size = Support.size(k -> Support.allocateIntLocalArray(k), n);
          return size == 0 ? null : Support.allocateIntLocalArray(plain.apply(n).length);
        }

        public static int hidden(int n) {
          int[] late;
          late = Support.allocateIntLocalArray(n);
          return late.length;
        }

        static Supplier<IntToIntTotals> maker() {
          return () -> new IntToIntTotals(3);
        }

        public static String names() {
          java.util.function.Function<@Element int[], ?> rows = IntToIntRows::rows;
          java.util.function.IntSupplier code = @Element IntCode::code;
          @Accumulator IntCode other = new @Accumulator IntCode();
          return maker().get().getClass().getSimpleName()
              + " " + rows.apply(new @Element int[4])
              + " " + code.getAsInt()
              + " " + other.name();
        }

        static @Accumulator int[] late = new @Accumulator int[1];
      }
      """;

  static final String ROWS =
      """
      package sample;

      import funnel.jit.Element;
      import funnel.jit.Twins;

      @Twins({"IntToLong", "FloatToDouble", "ByteToInt", "LongToFloat"})
      @SuppressWarnings("rawtypes")
      final class IntToIntRows {
        static java.util.List raw = new java.util.ArrayList();
        private IntToIntRows() {}
        static String rows(@Element int[] values) {
          return IntToIntRows.class.getSimpleName() + values.getClass().getSimpleName();
        }
      }
      """;

  static final String CODE =
      """
      package sample;

      import funnel.jit.Element;
      import funnel.jit.Twins;

      @Twins({"Byte", "Long", "Float", "Double"})
      public final class IntCode {
        static @Element int[] sizes = new @Element int[1];
        IntCode next = this;
        static int code() { return IntCode.sizes.getClass().getName().charAt(1); }
        String name() { return next.getClass().getSimpleName(); }
      }
      """;

  private TwinWriterSamples() {}
}
