package funnel.engine.tornado;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.TornadoRuntime;

/** The backends of TornadoVM that Funnel's kernels are made for. */
final class Backends {

  private static final Logger LOG = LoggerFactory.getLogger("funnel.Funnel");
  private static final Set<String> KNOWN = Set.of("PTX", "CUDA");

  private Backends() {}

  /**
   * Makes the first backend that is known TornadoVM's default one, which it is already in an SDK of
   * one backend.
   *
   * @throws IllegalStateException if none is known
   */
  static void useKnown(TornadoRuntime runtime) {
    List<String> all =
        IntStream.range(0, runtime.getNumBackends())
            .mapToObj(i -> runtime.getBackendType(i).name())
            .toList();
    int known = firstKnown(all);
    if (known > 0) {
      LOG.warn(
          "backend {} becomes TornadoVM's default one in this process, since kernels are not made"
              + " for {}",
          lower(all.get(known)),
          lower(all.getFirst()));
      runtime.setDefaultBackend(known);
    }
  }

  static int firstKnown(List<String> backends) {
    return IntStream.range(0, backends.size())
        .filter(i -> KNOWN.contains(backends.get(i)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "the SDK has no backend that Funnel knows, only %s: take one with backend ptx or cuda"
                        .formatted(backends.stream().map(Backends::lower).toList())));
  }

  private static String lower(String backend) {
    return backend.toLowerCase(Locale.ROOT);
  }
}
