package funnel.compiled;

import java.util.Arrays;
import java.util.List;

/**
 * A kernel as a device loads it. Two are equal if all of their contents are.
 *
 * @param entry its name in the code
 * @param accesses how it uses each of its parameters: names of TornadoVM's constants
 * @param code a cubin
 */
public record CompiledKernel(String entry, List<String> accesses, byte[] code) {

  /** Copies what it is given. */
  public CompiledKernel {
    accesses = List.copyOf(accesses);
    code = code.clone();
  }

  /** A copy of the code. */
  @Override
  public byte[] code() {
    return code.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CompiledKernel that
        && entry.equals(that.entry)
        && accesses.equals(that.accesses)
        && Arrays.equals(code, that.code);
  }

  @Override
  public int hashCode() {
    return 31 * entry.hashCode() + Arrays.hashCode(code);
  }

  @Override
  public String toString() {
    return "%s%s, %s bytes".formatted(entry, accesses, code.length);
  }
}
