package funnel.build;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Rewrites the jars of a folder without compression, entry by entry in their order, so that what
 * packs them finds what they have in common.
 *
 * <p>Usage: {@code StoredJars <folder>}.
 */
public final class StoredJars {

  private StoredJars() {}

  /**
   * Rewrites them.
   *
   * @param args the folder
   * @throws IOException if a jar cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 1 || !Files.isDirectory(Path.of(args[0]))) {
      System.err.println("usage: StoredJars <folder, existing>");
      System.exit(2);
    }
    List<Path> jars;
    try (Stream<Path> files = Files.walk(Path.of(args[0]))) {
      jars = files.filter(file -> file.toString().endsWith(".jar")).toList();
    }
    for (Path jar : jars) {
      Path stored = Files.createTempFile(jar.toAbsolutePath().getParent(), "stored", ".part");
      try (ZipFile in = new ZipFile(jar.toFile());
          ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(stored))) {
        for (ZipEntry entry : Collections.list(in.entries())) {
          copy(in, entry, out);
        }
      }
      Files.setPosixFilePermissions(stored, Files.getPosixFilePermissions(jar));
      Files.move(stored, jar, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void copy(ZipFile in, ZipEntry entry, ZipOutputStream out) throws IOException {
    ZipEntry stored = new ZipEntry(entry.getName());
    stored.setTime(entry.getTime());
    stored.setMethod(ZipEntry.STORED);
    stored.setSize(entry.getSize());
    stored.setCrc(entry.getCrc());
    out.putNextEntry(stored);
    try (InputStream bytes = in.getInputStream(entry)) {
      bytes.transferTo(out);
    }
    out.closeEntry();
  }
}
