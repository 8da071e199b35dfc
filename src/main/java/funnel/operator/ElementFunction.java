package funnel.operator;

import java.io.Serializable;

/**
 * A function of up to four numbers of any types, through an interface of your own that extends this
 * one: its only abstract method takes ints, longs, floats and doubles, and returns one of these or
 * a boolean.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="mixed"}
 *
 * <p>It may capture numbers and arrays as every function may, see {@link Operator} for what its
 * body may contain.
 */
public interface ElementFunction extends Serializable {}
