package funnel.jit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Annotates a master in {@code src/main/templates}, a class over {@code int}, with the types that
 * its members are repeated for at build time: those members that have a type marked {@link
 * Element}. On a member, it takes the place of the one on the class. See {@link
 * funnel.block.BlockScan}, which is written of such a master.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.SOURCE)
public @interface Overloads {
  /** The types, such as {@code "Long"}. */
  String[] value();
}
