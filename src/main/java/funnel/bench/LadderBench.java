package funnel.bench;

import funnel.Funnel;
import funnel.engine.Target;
import funnel.io.Progress;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.LadderVariant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code funnel bench ladder}. */
@Command(
    name = "ladder",
    description = "The variants of the reduction ladder side by side, with Funnel's own reduction.",
    footer = {
      "",
      "Variants:",
      "  neighboured-pairs, neighboured-less-divergence, interleaved-pairs, unrolling-2,",
      "  unrolling-8-last-warp, complete-unrolling; and single-pass, which a device may refuse.",
      "",
      "Examples:",
      "  funnel bench ladder --quick",
      "  funnel bench ladder --sizes 2^28 --block-sizes 128,256 --png ladder.png"
    })
final class LadderBench extends PrimitiveBenchmark {

  private static final List<Integer> BLOCK_SIZES = List.of(64, 128, 256, 512, 1024);

  @Option(
      names = "--variants",
      split = ",",
      paramLabel = "VARIANT",
      converter = VariantName.class,
      description = "Variants by name; all unless given.")
  private List<LadderVariant> variants = List.of(LadderVariant.values());

  @Option(
      names = "--block-sizes",
      split = ",",
      paramLabel = "THREADS",
      defaultValue = "64,128,256,512,1024",
      description = "Threads of a block: 64, 128, 256, 512, 1024.")
  private List<Integer> blockSizes = List.of();

  @Option(names = "--no-cuda", description = "Leave CUB and the device copy out.")
  private boolean noCuda;

  @Option(
      names = "--cuda-source",
      paramLabel = "FILE",
      description = "peers.cu, if it is not in its place.")
  private @Nullable Path cudaSource;

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

  /** A device may refuse the single pass, with a reason; all else must run. */
  @Override
  boolean isOwn(Measurement measurement) {
    return !measurement.subject().equals(LadderVariant.SINGLE_PASS.label());
  }

  @Override
  void plot(PrimitiveReport report, Path file) throws IOException {
    Plots.writeVariants(report, file);
  }

  private void requireBlockSizes() {
    for (int blockSize : blockSizes) {
      if (!BLOCK_SIZES.contains(blockSize)) {
        throw wrongUsage("--block-sizes: %d is none of %s".formatted(blockSize, BLOCK_SIZES));
      }
    }
  }

  @Override
  void measure(Funnel funnel, PrimitiveReport report, Effort effort) {
    requireBlockSizes();
    CudaPeers.Outcome cuda =
        funnel.target() == Target.TORNADO && !noCuda
            ? cudaPeers(Work.REDUCE, cudaSource, report)
            : CudaPeers.Outcome.NONE;
    try (Funnel jvm = Funnel.open(Target.JVM)) {
      FunnelSubject own = new FunnelSubject(funnel, jvm);
      own.warmUpEngine(engineWarmUp());
      List<Subject> subjects = new ArrayList<>();
      for (LadderVariant variant : variants) {
        for (int blockSize : blockSizes) {
          subjects.add(new LadderSubject(funnel, variant, blockSize));
        }
      }
      subjects.add(own);
      int steps = types().size() * lengths().size() * operators().size() * subjects.size();
      try (Progress progress = new Progress("ladder", steps, true)) {
        for (ElementType type : types()) {
          for (int length : lengths()) {
            Workload workload = Workload.random(type, length);
            for (Operator operator : operators()) {
              for (Subject subject : subjects) {
                report.add(subject.measure(workload, operator, effort));
                progress.step(1);
              }
              cuda.of(workload, operator).forEach(report::add);
            }
            release(workload.bytes());
          }
        }
      }
    }
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
