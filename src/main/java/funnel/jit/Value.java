package funnel.jit;

import funnel.kernel.Scalars;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a type in a master source that stands for the type of an element's value, see {@link
 * Scalars#value(byte)}: int if the elements are bytes, else the element type.
 *
 * {@snippet class="funnel.docs.IntToIntTotals" region="totals"}
 */
@Target(ElementType.TYPE_USE)
@Retention(RetentionPolicy.SOURCE)
public @interface Value {}
