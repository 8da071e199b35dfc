package uk.ac.manchester.tornado.api.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the variable of a loop whose iterations TornadoVM runs at once. A statement of signatures.
 */
@Target({
  ElementType.LOCAL_VARIABLE,
  ElementType.TYPE,
  ElementType.TYPE_USE,
  ElementType.TYPE_PARAMETER
})
@Retention(RetentionPolicy.RUNTIME)
public @interface Parallel {}
