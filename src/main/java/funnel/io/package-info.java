/**
 * Sources and sinks of elements, and files of them: raw little-endian ones and NumPy's {@code
 * .npy}, mapped into memory.
 *
 * <p>The libraries for {@code .npy} that Maven Central carries were looked at first: {@code
 * org.jetbrains.bio:npy} (Kotlin) and {@code org.openlca:npy} read a file into Java arrays, which
 * ends at the heap's size and at 2^31 elements, and neither refuses what it does not understand
 * with a place in the file. So this package holds the smallest reader and writer of our own: a
 * header and a mapping.
 */
@NullMarked
package funnel.io;

import org.jspecify.annotations.NullMarked;
