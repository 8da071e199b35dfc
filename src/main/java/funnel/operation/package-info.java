/**
 * What an operation is, and the primitives that do its work: for authors of operations of their
 * own.
 */
@NullMarked
package funnel.operation;

import org.jspecify.annotations.NullMarked;
