/**
 * Funnel's own minimal statement of TornadoVM's runtime, for compiling and for machines without
 * TornadoVM. Names and signatures are those of TornadoVM 5.2.0; it is never packed into the main
 * jar.
 */
package uk.ac.manchester.tornado.runtime.tasks.meta;
