package funnel.jit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a {@linkplain Twins master} that only some of its twins have:
 * {@code @Only("Long")} on what is for integers.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Only {
  /** The prefixes of the twins that have it. */
  String[] value();
}
