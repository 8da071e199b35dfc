package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class KernelTimeTest {

  /** As TornadoVM 5.2.0 writes it: two executions of a graph of two tasks. */
  private static String log(int first, int second, int last) {
    String execution =
        """
        {
            "funnel1_run3": {
                "TOTAL_KERNEL_TIME": "999",
                "funnel1_run3.sum_rows": {
                    "BACKEND": "PTX",
                    "METHOD": "IntToIntReductionKernels.rows",
                    "DEVICE_ID": "0:0",
                    "DEVICE": "NVIDIA H200",
                    "POWER_USAGE_mW": "n/a",
                    "TASK_KERNEL_TIME": "%s",
                    "TASK_COMPILE_DRIVER_TIME": "17"
                }, "funnel1_run3.sum_rows2": {
                    "BACKEND": "PTX",
                    "TASK_KERNEL_TIME": "%s"
                }
            }
        }
        """;
    return execution.formatted(1, 2)
        + execution.formatted(first, second)
        + execution.replace("run3", "run4").formatted(last, 0);
  }

  @Test
  void theLastExecution_ofEachTask() {
    String log = log(30, 40, 50);
    assertEquals(OptionalLong.of(30), KernelTime.of(log, "funnel1_run3.sum_rows"));
    assertEquals(OptionalLong.of(40), KernelTime.of(log, "funnel1_run3.sum_rows2"));
    assertEquals(OptionalLong.of(50), KernelTime.of(log, "funnel1_run4.sum_rows"));
  }

  @Test
  void whatTheLogDoesNotSay_isEmpty() {
    String noTime = log(1, 2, 3).replace("TASK_KERNEL_TIME\": \"3\"", "OTHER\": \"3\"");
    for (String log : new String[] {"", noTime}) {
      assertEquals(OptionalLong.empty(), KernelTime.of(log, "funnel1_run4.sum_rows"));
    }
  }
}
