package funnel.jit;

import funnel.kernel.KernelTask;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** What the tests call: a copy can be reached through it without reflection. */
interface PlaceholderCalls {
  int combine(int left, int right);

  long combine(long left, long right);

  float combine(float left, float right);

  double combine(double left, double right);

  int combineByCode(int operator, int left, int right);

  boolean testAll(int i, long j, float f, double d);

  int map(int value);

  long map(long value);

  float map(float value);

  double map(double value);

  String codes();

  int mapInStream(int value);

  int mapInAnonymousLoop(int value);

  PlaceholderCalls another();

  Class<?> named();

  int next();

  KernelTask task(IntArray values, IntArray result, int n);
}
