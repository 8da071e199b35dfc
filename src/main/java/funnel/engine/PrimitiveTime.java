package funnel.engine;

/**
 * The time of a primitive in a measured run.
 *
 * @param id the primitive's id
 * @param nanos the nanoseconds of its kernels on a device, otherwise of its work
 * @param launches the number of kernel launches; 0 on the JVM
 */
public record PrimitiveTime(String id, long nanos, int launches) {}
