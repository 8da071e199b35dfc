package funnel.spark;

import funnel.Elements;
import funnel.Funnel;
import funnel.Results;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.sort.Sort;
import java.lang.reflect.Array;
import java.util.List;

/** A type of chunks: an array of one of Funnel's element types, with all type-dependent code. */
enum ChunkType {
  BYTES(byte[].class, ElementType.BYTE) {
    @Override
    Elements elements(Object chunk, int from, int to) {
      return Elements.of((byte[]) chunk, from, to);
    }

    @Override
    Object read(Results results, String name) {
      return results.bytes(name);
    }
  },
  INTS(int[].class, ElementType.INT) {
    @Override
    Elements elements(Object chunk, int from, int to) {
      return Elements.of((int[]) chunk, from, to);
    }

    @Override
    Object read(Results results, String name) {
      return results.ints(name);
    }
  },
  LONGS(long[].class, ElementType.LONG) {
    @Override
    Elements elements(Object chunk, int from, int to) {
      return Elements.of((long[]) chunk, from, to);
    }

    @Override
    Object read(Results results, String name) {
      return results.longs(name);
    }
  },
  FLOATS(float[].class, ElementType.FLOAT) {
    @Override
    Elements elements(Object chunk, int from, int to) {
      return Elements.of((float[]) chunk, from, to);
    }

    @Override
    Object read(Results results, String name) {
      return results.floats(name);
    }
  },
  DOUBLES(double[].class, ElementType.DOUBLE) {
    @Override
    Elements elements(Object chunk, int from, int to) {
      return Elements.of((double[]) chunk, from, to);
    }

    @Override
    Object read(Results results, String name) {
      return results.doubles(name);
    }
  };

  final Class<?> array;
  final ElementType element;

  ChunkType(Class<?> array, ElementType element) {
    this.array = array;
    this.element = element;
  }

  /** A part of a chunk, for Funnel. */
  abstract Elements elements(Object chunk, int from, int to);

  /** An array that an operation wrote. */
  abstract Object read(Results results, String name);

  /**
   * The type of arrays of a class.
   *
   * @throws IllegalArgumentException if it is not a type of chunks
   */
  static ChunkType of(Class<?> array) {
    for (ChunkType type : values()) {
      if (type.array == array) {
        return type;
      }
    }
    throw new IllegalArgumentException(
        "chunks of %s: they are byte[], int[], long[], float[] or double[]"
            .formatted(array.getSimpleName()));
  }

  static ChunkType of(ElementType element) {
    return values()[element.ordinal()];
  }

  /** All of a chunk, for Funnel. */
  Elements elements(Object chunk) {
    return elements(chunk, 0, length(chunk));
  }

  static int length(Object chunk) {
    return Array.getLength(chunk);
  }

  Object allocate(int length) {
    return Array.newInstance(array.componentType(), length);
  }

  /** An array of numbers of the elements' type; not for bytes. */
  Object of(List<? extends Number> numbers) {
    Object chunk = allocate(numbers.size());
    for (int i = 0; i < numbers.size(); i++) {
      Array.set(chunk, i, numbers.get(i));
    }
    return chunk;
  }

  /** An element of a chunk; of a byte, which is unsigned, an int. */
  static Number get(Object chunk, int index) {
    return chunk instanceof byte[] bytes
        ? (Number) Byte.toUnsignedInt(bytes[index])
        : (Number) Array.get(chunk, index);
  }

  /** A part of a chunk, in a new array. */
  Object part(Object chunk, int from, int to) {
    Object part = allocate(to - from);
    System.arraycopy(chunk, from, part, 0, to - from);
    return part;
  }

  /** A chunk's elements in ascending order, in a new array. */
  Object sorted(Funnel funnel, Object chunk) {
    return read(funnel.run(Sort.ascending(), elements(chunk)), "result");
  }

  /**
   * Concatenates arrays.
   *
   * @param what what they are, for the message
   * @throws IllegalStateException if they are too long together
   */
  Object joined(String what, List<?> parts) {
    long length = parts.stream().mapToLong(ChunkType::length).sum();
    if (length > Input.LARGEST_CAPACITY) {
      throw new IllegalStateException(
          "%s has %s elements, but an array holds at most %s: use more partitions"
              .formatted(what, length, Input.LARGEST_CAPACITY));
    }
    Object joined = allocate((int) length);
    int at = 0;
    for (Object part : parts) {
      System.arraycopy(part, 0, joined, at, length(part));
      at += length(part);
    }
    return joined;
  }
}
