package funnel.bench;

import funnel.Funnel;
import funnel.lessons.LadderVariant;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code funnel bench ladder}. */
@Command(
    name = "ladder",
    description = {
      "The variants of the reduction ladder, with Funnel's own reduction.",
      "",
      "Variants:",
      "  neighboured-pairs, neighboured-less-divergence, interleaved-pairs, unrolling-2,",
      "  unrolling-8-last-warp, complete-unrolling.",
      ""
    },
    footer = {
      "  funnel bench ladder --quick",
      "  funnel bench ladder --sizes 2^28 --block-sizes 128,256 --png ladder.png"
    })
final class LadderBench extends PrimitiveBenchmark {

  @Option(
      names = "--variants",
      split = ",",
      paramLabel = "VARIANT",
      converter = VariantName.class,
      description = "Variants by name; default: all.")
  private List<LadderVariant> variants = List.of(LadderVariant.values());

  @Option(
      names = "--block-sizes",
      split = ",",
      paramLabel = "THREADS",
      defaultValue = "64,128,256,512,1024",
      description = "Threads of a block: 64, 128, 256, 512, 1024.")
  private List<Integer> blockSizes = List.of();

  @Option(names = "--no-cuda", description = "Leave out CUB and the device copy.")
  private boolean noCuda;

  @Override
  Work work() {
    return Work.REDUCE;
  }

  @Override
  String defaultLengths() {
    return "2^26";
  }

  @Override
  List<ElementType> defaultTypes() {
    return List.of(ElementType.INT);
  }

  @Override
  List<Operator> defaultOperators() {
    return List.of(Operator.SUM);
  }

  /** Every variant must run. */
  @Override
  boolean mayFail(Measurement<PrimitiveCase> measurement) {
    return false;
  }

  @Override
  void requireOptions() {
    super.requireOptions();
    requireBlockSizes(blockSizes);
  }

  @Override
  Set<Peer> peers(Target engine) {
    return engine == Target.TORNADO && !noCuda ? Set.of(Peer.CUDA) : Set.of();
  }

  @Override
  List<ReduceSubject> subjects(
      Funnel funnel, Funnel jvm, Set<Peer> peers, Report<PrimitiveCase> report) {
    List<ReduceSubject> subjects = new ArrayList<>();
    for (LadderVariant variant : variants) {
      for (int blockSize : blockSizes) {
        subjects.add(new ReduceSubject(funnel, variant, blockSize));
      }
    }
    subjects.add(new ReduceSubject(funnel, jvm));
    return subjects;
  }

  /** Names of variants on the command line. */
  static final class VariantName implements ITypeConverter<LadderVariant> {
    @Override
    public LadderVariant convert(String name) {
      try {
        return LadderVariant.of(name);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
