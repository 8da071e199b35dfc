package jdk.vm.ci.meta;

/** A loaded type. A statement of signatures. */
public interface ResolvedJavaType extends JavaType {}
