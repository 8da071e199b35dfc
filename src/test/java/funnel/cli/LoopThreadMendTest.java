package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link LoopThreadMend}, on threads that run before their {@code start()} returns. */
class LoopThreadMendTest {

  private static final String NAME = "org.rapaio.jupyter.kernel.channels.LoopThread";
  private static final String EAGER =
      """
      class EagerThread extends Thread {
        @Override public void start() { run(); }
      }
      """;
  private static final String LOOP =
      """
      package org.rapaio.jupyter.kernel.channels;
      %s
      public final class LoopThread extends EagerThread {
        private volatile boolean running = false;
        private final Runnable body;
        public LoopThread(Runnable body) { this.body = body; }
        @Override public void run() { while (running) { body.run(); running = false; } }
        @Override public synchronized void start() { %s }
        public void start(int times) { super.start(); running = true; }
      }
      """;

  @TempDir Path folder;

  private Path jar(String start) throws Exception {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Path source =
        Files.writeString(folder.resolve("LoopThread.java"), LOOP.formatted(EAGER, start));
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), source.toString()));
    Path jar = folder.resolve("kernel.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, entries);
      }
    }
    return jar;
  }

  private static int loops(Path jar) throws Exception {
    AtomicInteger loops = new AtomicInteger();
    Runnable body = loops::incrementAndGet;
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()})) {
      Object thread = loader.loadClass(NAME).getConstructor(Runnable.class).newInstance(body);
      Objects.requireNonNull(thread).getClass().getMethod("start").invoke(thread);
    }
    return loops.get();
  }

  @Test
  void aThreadThatRunsAtOnceLoops() throws Exception {
    Path jar = jar("super.start(); running = true;");
    assertEquals(0, loops(jar), "the race is not there to be mended");
    assertTrue(LoopThreadMend.mend(jar));
    assertEquals(1, loops(jar));
    byte[] mended = Files.readAllBytes(jar);
    assertFalse(LoopThreadMend.mend(jar), "mended twice");
    assertArrayEquals(mended, Files.readAllBytes(jar));
  }

  @Test
  void aJarWithoutTheRaceStaysAsItIs() throws Exception {
    Path jar = jar("running = true; super.start();");
    byte[] before = Files.readAllBytes(jar);
    assertFalse(LoopThreadMend.mend(jar));
    assertArrayEquals(before, Files.readAllBytes(jar));
    assertEquals(1, loops(jar));
  }
}
