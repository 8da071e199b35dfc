package funnel.engine;

/**
 * What a primitive took in a run that was measured.
 *
 * @param id the primitive's
 * @param nanos of its kernels on a device; elsewhere of what does its work there
 * @param launches of kernels, 0 on the JVM
 */
public record PrimitiveTime(String id, long nanos, int launches) {}
