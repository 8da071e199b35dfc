package uk.ac.manchester.tornado.api.common;

/** What a kernel does with an array. A statement of signatures. */
public enum Access {
  /** Unknown. */
  NONE,
  /** It reads it. */
  READ_ONLY,
  /** It writes it. */
  WRITE_ONLY,
  /** Both. */
  READ_WRITE
}
