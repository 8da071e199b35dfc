package funnel.engine;

/**
 * What a program's kernels run on, for choices between forms by measurements.
 *
 * @param name of the device, such as {@code NVIDIA H200}
 * @param backend TornadoVM's backend in lower case, such as {@code ptx}, or {@code emulator}
 */
public record Device(String name, String backend) {}
