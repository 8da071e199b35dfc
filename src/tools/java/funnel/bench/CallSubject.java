package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.engine.tornado.HostArrays;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** A one-shot call of Funnel on elements on the host. */
final class CallSubject extends HeapSubject<Workload, Operator, PrimitiveCase> {

  /** The kind of memory that holds the elements and the results. */
  enum Memory {
    ARRAY,
    SEGMENT,
    TORNADO;

    Elements like(TornadoNativeArray array, Workload of) {
      MemorySegment from = array.getSegment();
      return switch (this) {
        case ARRAY ->
            switch (of.type()) {
              case INT -> Elements.of(from.toArray(ValueLayout.JAVA_INT));
              case LONG -> Elements.of(from.toArray(ValueLayout.JAVA_LONG));
              case FLOAT -> Elements.of(from.toArray(ValueLayout.JAVA_FLOAT));
              case DOUBLE -> Elements.of(from.toArray(ValueLayout.JAVA_DOUBLE));
              case BYTE -> throw new IllegalArgumentException("benchmarks do not support bytes");
            };
        case SEGMENT -> {
          MemorySegment own = Arena.ofAuto().allocate(from.byteSize(), Long.BYTES);
          yield Elements.of(own.copyFrom(from), of.type());
        }
        case TORNADO -> Elements.ofTornado(array);
      };
    }
  }

  private final Funnel funnel;
  private final Work work;
  private final Memory memory;

  /**
   * Makes a subject.
   *
   * @param engine the engine's name in reports
   */
  CallSubject(String engine, Funnel funnel, Work work, Memory memory) {
    super(String.join(" ", "funnel", engine, Named.of(memory), work.label()), work.moved());
    this.funnel = funnel;
    this.work = work;
    this.memory = memory;
  }

  @Override
  PrimitiveCase what(Workload workload, Operator operator) {
    return PrimitiveCase.of(work, workload, operator);
  }

  @Override
  Loop loop(Workload workload, Operator operator) {
    Elements elements = memory.like(workload.array(), workload);
    Number[] result = new Number[1];
    if (work == Work.REDUCE) {
      Reduction reduction = Reduction.of(operator);
      return new Loop(
          () -> {},
          () -> result[0] = funnel.reduce(elements, reduction),
          () -> workload.outcome(operator, result[0]));
    }
    Scan scan = Scan.inclusive(operator);
    Elements into = memory.like(HostArrays.allocate(workload.type(), workload.length()), workload);
    return new Loop(
        () -> {},
        () -> result[0] = funnel.scan(elements, scan, into),
        () ->
            new Outcome(
                String.valueOf(result[0]), workload.scan(operator).firstWrong(into.segment())));
  }
}
