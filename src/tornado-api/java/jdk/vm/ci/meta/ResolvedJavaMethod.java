package jdk.vm.ci.meta;

/** A method of a loaded type. A statement of signatures. */
public interface ResolvedJavaMethod extends JavaMethod {

  @Override
  ResolvedJavaType getDeclaringClass();
}
