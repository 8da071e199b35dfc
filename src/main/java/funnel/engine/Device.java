package funnel.engine;

import java.io.Serializable;

/**
 * What a program's kernels run on, for choices between forms by measurements.
 *
 * <p>A choice of block sizes by a table of measurements:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="measured"}
 *
 * @param name of the device, such as {@code NVIDIA H200}
 * @param backend TornadoVM's backend in lower case, such as {@code ptx}, or {@code emulator}
 */
public record Device(String name, String backend) implements Serializable {}
