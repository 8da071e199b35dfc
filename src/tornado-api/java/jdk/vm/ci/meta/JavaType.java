package jdk.vm.ci.meta;

/** A type. A statement of signatures. */
public interface JavaType {

  /** The name as in a descriptor, such as {@code Ljava/lang/String;}. */
  String getName();
}
