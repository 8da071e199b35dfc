package funnel.compiled;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The bytes of a file that holds one kernel. */
final class KernelFormat {

  /* Magic number, version, key, entry, number of accesses, accesses, length of the code, code; then
   * the SHA-256 of all that. The key is in it so that a file under another's name is not taken.
   */

  private static final long MAGIC = 0x46756e6e656c4b0aL; // FunnelK and a line feed
  private static final int VERSION = 1;
  private static final int KEY_BYTES = 32;
  private static final int SUM_BYTES = 32;
  private static final int FEWEST_BYTES = Long.BYTES + Integer.BYTES + KEY_BYTES + SUM_BYTES;

  /** Longer files are not read. */
  static final long MOST_BYTES = 1 << 26;

  private KernelFormat() {}

  static byte[] bytes(String key, CompiledKernel kernel) throws IOException {
    byte[] code = kernel.code();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(code.length + (1 << 10));
    DataOutputStream data = new DataOutputStream(bytes);
    data.writeLong(MAGIC);
    data.writeInt(VERSION);
    data.write(HexFormat.of().parseHex(key));
    data.writeUTF(kernel.entry());
    data.writeInt(kernel.accesses().size());
    for (String access : kernel.accesses()) {
      data.writeUTF(access);
    }
    data.writeInt(code.length);
    data.write(code);
    data.write(sum(bytes.toByteArray(), bytes.size()));
    if (bytes.size() > MOST_BYTES) {
      throw new IOException("it has %s bytes, at most %s".formatted(bytes.size(), MOST_BYTES));
    }
    return bytes.toByteArray();
  }

  /**
   * The kernel in a file.
   *
   * @throws StreamCorruptedException if it is not one that was written whole under this key
   */
  static CompiledKernel kernel(String key, byte[] file) throws StreamCorruptedException {
    int end = file.length - SUM_BYTES;
    require(file.length >= FEWEST_BYTES, "it has only " + file.length + " bytes");
    DataInputStream data = new DataInputStream(new ByteArrayInputStream(file, 0, end));
    try {
      require(data.readLong() == MAGIC, "it is no kernel of Funnel");
      int version = data.readInt();
      require(version == VERSION, "its format is %s, not %s".formatted(version, VERSION));
      require(
          Arrays.equals(sum(file, end), Arrays.copyOfRange(file, end, file.length)),
          "its checksum is another: it was cut or changed");
      String itsKey = HexFormat.of().formatHex(data.readNBytes(KEY_BYTES));
      require(itsKey.equals(key), "it is kernel %s under another name".formatted(itsKey));
      String entry = data.readUTF();
      List<String> accesses = new ArrayList<>();
      for (int left = data.readInt(); left > 0; left--) {
        accesses.add(data.readUTF());
      }
      require(data.readInt() == data.available(), "the length of its code is another");
      return new CompiledKernel(entry, accesses, data.readAllBytes());
    } catch (StreamCorruptedException e) {
      throw e;
    } catch (EOFException e) {
      throw new StreamCorruptedException("it ends too early");
    } catch (IOException e) {
      throw new StreamCorruptedException(e.toString());
    }
  }

  private static void require(boolean holds, String otherwise) throws StreamCorruptedException {
    if (!holds) {
      throw new StreamCorruptedException(otherwise);
    }
  }

  private static byte[] sum(byte[] bytes, int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(bytes, 0, length);
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
