package funnel.jit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a type in a master source that stands for the element type, so that the twins written from
 * it at build time carry another type there. A master's unmarked {@code int}s (sizes, indices,
 * operator codes) stay {@code int}.
 *
 * {@snippet class="funnel.docs.IntToIntTotals" region="totals"}
 */
@Target(ElementType.TYPE_USE)
@Retention(RetentionPolicy.SOURCE)
public @interface Element {}
