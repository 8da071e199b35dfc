package uk.ac.manchester.tornado.api.math;

/** Mathematics that every backend compiles. A statement of signatures that works on the JVM. */
public class TornadoMath {

  /** The smaller value. */
  public static float min(float a, float b) {
    return Math.min(a, b);
  }

  /** The larger value. */
  public static float max(float a, float b) {
    return Math.max(a, b);
  }

  /** The smaller value. */
  public static double min(double a, double b) {
    return Math.min(a, b);
  }

  /** The larger value. */
  public static double max(double a, double b) {
    return Math.max(a, b);
  }

  /** The smaller value. */
  public static long min(long a, long b) {
    return Math.min(a, b);
  }

  /** The larger value. */
  public static long max(long a, long b) {
    return Math.max(a, b);
  }

  /** The smaller value. */
  public static int min(int a, int b) {
    return Math.min(a, b);
  }

  /** The larger value. */
  public static int max(int a, int b) {
    return Math.max(a, b);
  }

  /** The absolute value. */
  public static float abs(float a) {
    return Math.abs(a);
  }

  /** {@code val}, or the bound that it is beyond. */
  public static float clamp(float val, float min, float max) {
    return Math.max(min, Math.min(max, val));
  }

  /** The absolute value. */
  public static double abs(double a) {
    return Math.abs(a);
  }

  /** {@code val}, or the bound that it is beyond. */
  public static double clamp(double val, double min, double max) {
    return Math.max(min, Math.min(max, val));
  }

  /** The absolute value. */
  public static long abs(long a) {
    return Math.abs(a);
  }

  /** {@code val}, or the bound that it is beyond. */
  public static long clamp(long val, long min, long max) {
    return Math.max(min, Math.min(max, val));
  }

  /** The absolute value. */
  public static int abs(int a) {
    return Math.abs(a);
  }

  /** {@code val}, or the bound that it is beyond. */
  public static int clamp(int val, int min, int max) {
    return Math.max(min, Math.min(max, val));
  }

  /** The exponential. */
  public static float exp(float value) {
    return (float) Math.exp(value);
  }

  /** The exponential. */
  public static double exp(double value) {
    return Math.exp(value);
  }

  /** The square root. */
  public static float sqrt(float value) {
    return (float) Math.sqrt(value);
  }

  /** The square root. */
  public static double sqrt(double value) {
    return Math.sqrt(value);
  }

  /** The largest whole number not above. */
  public static float floor(float value) {
    return (float) Math.floor(value);
  }

  /** The largest whole number not above. */
  public static double floor(double value) {
    return Math.floor(value);
  }

  /** The smallest whole number not below. */
  public static float ceil(float value) {
    return (float) Math.ceil(value);
  }

  /** The smallest whole number not below. */
  public static double ceil(double value) {
    return Math.ceil(value);
  }

  /** The natural logarithm. */
  public static float log(float value) {
    return (float) Math.log(value);
  }

  /** The natural logarithm. */
  public static double log(double value) {
    return Math.log(value);
  }

  /** The sine. */
  public static float sin(float value) {
    return (float) Math.sin(value);
  }

  /** The sine. */
  public static double sin(double value) {
    return Math.sin(value);
  }

  /** The cosine. */
  public static float cos(float value) {
    return (float) Math.cos(value);
  }

  /** The cosine. */
  public static double cos(double value) {
    return Math.cos(value);
  }

  /** The power. */
  public static float pow(float a, float b) {
    return (float) Math.pow(a, b);
  }

  /** The power. */
  public static double pow(double a, double b) {
    return Math.pow(a, b);
  }
}
