package uk.ac.manchester.tornado.api;

/** A frozen task graph. A statement of signatures: there is none without TornadoVM. */
public class ImmutableTaskGraph {
  ImmutableTaskGraph() {
    throw new SdkMissing();
  }
}
