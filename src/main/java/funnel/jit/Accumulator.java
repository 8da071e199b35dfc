package funnel.jit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a type in a master source that stands for the accumulator type (see {@link Element}), which
 * may be wider than the element type.
 *
 * {@snippet class="funnel.docs.IntToIntTotals" region="totals"}
 */
@Target(ElementType.TYPE_USE)
@Retention(RetentionPolicy.SOURCE)
public @interface Accumulator {}
