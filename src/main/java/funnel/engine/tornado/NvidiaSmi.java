package funnel.engine.tornado;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Data of a device from the driver's own tool: TornadoVM reports only the total memory.
 *
 * @param freeBytes memory that is not used
 * @param driver the driver's version
 */
record NvidiaSmi(long freeBytes, String driver) {

  private static final Logger LOG = LoggerFactory.getLogger(NvidiaSmi.class);
  private static final long SECONDS = 20;

  /** The tool's name for a device of this process, which may not see all devices. */
  static String id(int device, Map<String, String> environment) {
    String[] visible = environment.getOrDefault("CUDA_VISIBLE_DEVICES", "").split(",");
    return device < visible.length && !visible[device].isBlank()
        ? visible[device].strip()
        : Integer.toString(device);
  }

  /** Queries one device; empty if the tool is missing. */
  static Optional<NvidiaSmi> query(int device) {
    List<String> command =
        List.of(
            "nvidia-smi",
            "--query-gpu=memory.free,driver_version",
            "--format=csv,noheader,nounits",
            "--id=" + id(device, System.getenv()));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      process.getOutputStream().close();
      String line =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        LOG.debug("nvidia-smi gave no answer for device {}: {}", device, line);
        return Optional.empty();
      }
      String[] fields = line.split("\\s*,\\s*", 2);
      return Optional.of(new NvidiaSmi(Long.parseLong(fields[0]) << 20, fields[1]));
    } catch (IOException e) {
      LOG.debug("nvidia-smi cannot be asked for free memory: {}", e.getMessage());
      return Optional.empty();
    } catch (NumberFormatException e) {
      LOG.debug(
          "nvidia-smi does not report the free memory of device {}: {}", device, e.getMessage());
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
