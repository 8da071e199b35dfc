package funnel.jit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Annotates a master class with the twins that are generated from it at build time.
 *
 * <p>A master is ordinary Java over {@code int}, which is compiled and tested itself. Its name
 * begins with {@code IntToInt} (an element type and an accumulator type, see {@link Element} and
 * {@link Accumulator}) or with {@code Int} (an element type only).
 *
 * {@snippet class="funnel.docs.IntToIntTotals" region="totals"}
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.SOURCE)
public @interface Twins {
  /** The prefixes of the twins' names, such as {@code "FloatToDouble"} or {@code "Long"}. */
  String[] value();
}
