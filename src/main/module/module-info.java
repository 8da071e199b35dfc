/**
 * Parallel primitives on GPUs, through TornadoVM, and on the JVM, with the same bits.
 *
 * <p>On a device Funnel runs from the class path, where this descriptor has no effect. From the
 * module path it runs on the JVM and in the emulator; the command line does not.
 */
module funnel {
  requires transitive tornado.api;
  requires org.slf4j;
  requires java.desktop; // pictures of the heat equation
  requires java.sql; // queries whose results are columns
  requires static java.management; // when java began, with a device alone
  requires static org.jspecify;

  // For programs
  exports funnel;
  exports funnel.columns;
  exports funnel.group;
  exports funnel.heat;
  exports funnel.histogram;
  exports funnel.io;
  exports funnel.math;
  exports funnel.operator;
  exports funnel.rank;
  exports funnel.reduce;
  exports funnel.scan;
  exports funnel.select;
  exports funnel.sort;
  exports funnel.transform;

  // For kernels
  exports funnel.block;
  exports funnel.emulator;
  exports funnel.kernel;

  // For operations
  exports funnel.operation;
}
