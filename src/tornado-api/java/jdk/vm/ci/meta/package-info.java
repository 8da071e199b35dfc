/**
 * Funnel's own minimal statement of the JVM's compiler interface, for compiling and for machines
 * without TornadoVM. Names and signatures are those of JDK 25; it is never packed into the main
 * jar.
 */
package jdk.vm.ci.meta;
