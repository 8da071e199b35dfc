/**
 * Sources and sinks of elements, and files of them: raw little-endian ones and NumPy's {@code
 * .npy}.
 *
 * <p>Why there is a reader and writer of our own: the {@code .npy} libraries on Maven Central,
 * {@code org.jetbrains.bio:npy} (Kotlin) and {@code org.openlca:npy}, read a file into Java arrays,
 * which limits it to the heap's size and 2^31 elements, and neither reports errors with an offset
 * in the file. This package is minimal: a header, and reading in parts.
 */
@NullMarked
package funnel.io;

import org.jspecify.annotations.NullMarked;
