package funnel.bench;

/** The peers of Funnel. */
enum Peer {
  /** Programs in CUDA C++: CUB, a device copy, plain kernels. */
  CUDA,
  /** TornadoVM's own reduction. */
  TORNADO,
  /** The JDK's parallel streams. */
  STREAM,
  /** A sequential loop. */
  LOOP,
  /** Arrays.parallelPrefix, or parallelSort. */
  JDK,
  /** DuckDB in this process. */
  DUCKDB
}
