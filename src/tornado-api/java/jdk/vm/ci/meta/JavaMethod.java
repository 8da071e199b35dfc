package jdk.vm.ci.meta;

/** A method. A statement of signatures. */
public interface JavaMethod {

  /** The name. */
  String getName();

  /** The type that declares it. */
  JavaType getDeclaringClass();
}
