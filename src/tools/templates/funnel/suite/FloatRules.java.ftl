<#-- Rules on numbers in floating point: ${type} is Float or Double. -->
<#assign
    T = type
    t = type?lower_case
    wide = type == "Double"
    all = type?upper_case + "S"
    d = wide?then("d", "f")
    bits = wide?then("long", "int")
    rawBits = t + "ToRaw" + bits?cap_first + "Bits"
    allBits = bits?upper_case + "S">
package funnel.suite;

import static funnel.suite.Trials.${all};
import static funnel.suite.Trials.INTS;
import static funnel.suite.Trials.LONGS;
import static funnel.suite.Trials.bit;
import static funnel.suite.Trials.capability;
import static funnel.suite.Trials.each;
import static funnel.suite.Trials.${t}s;
import static funnel.suite.Trials.ints;
import static funnel.suite.Trials.longs;
import static funnel.suite.Trials.range;
import static funnel.suite.Trials.reliedOn;
import static funnel.suite.Trials.wins;
import static funnel.suite.Trials.workedAround;

import funnel.kernel.KernelTask;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import uk.ac.manchester.tornado.api.types.arrays.${T}Array;

/** Rules on ${t}s. */
final class ${T}Rules {

  private ${T}Rules() {}

  static List<JitRule> all() {
    return Stream.of(comparisons(), arithmetic(), constants(), conversions())
        .flatMap(List::stream)
        .toList();
  }

  private static List<JitRule> comparisons() {
    ${t}[] a = Trials.lefts(${all});
    ${t}[] b = Trials.rights(${all});
    return List.of(
        reliedOn(
            "less-greater-equal-${t}",
            "<, >, == and x != x with NaN among the ${t}s",
            () ->
                each(
                    ${T}Kernels::ordered,
                    ${t}s(a),
                    ${t}s(b),
                    Expected.ints(
                        range(a.length)
                            .flatMap(
                                i ->
                                    IntStream.of(
                                        bit(a[i] < b[i]),
                                        bit(a[i] > b[i]),
                                        bit(a[i] == b[i]),
                                        bit(${T}.isNaN(a[i]))))
                            .toArray()))),
        workedAround(
            "less-or-equal-${t}",
            "<= and >= are false for NaN",
            () ->
                each(
                    ${T}Kernels::orderedOrEqual,
                    ${t}s(a),
                    ${t}s(b),
                    Expected.ints(
                        range(a.length)
                            .flatMap(i -> IntStream.of(bit(a[i] <= b[i]), bit(a[i] >= b[i])))
                            .toArray()))),
        workedAround(
            "math-min-max-${t}",
            "Math.min and Math.max of ${t}s give NaN if either is, and -0.0 is below 0.0",
            () ->
                each(
                    ${T}Kernels::mathMinMax,
                    ${t}s(a),
                    ${t}s(b),
                    Expected.${t}s(
                        ${t}s(
                            2 * a.length,
                            i ->
                                i % 2 == 0
                                    ? Math.min(a[i / 2], b[i / 2])
                                    : Math.max(a[i / 2], b[i / 2]))))),
        reliedOn(
            "scalars-min-max-${t}",
            "Scalars.min and Scalars.max are Math.min and Math.max of ${t}s",
            () ->
                each(
                    ${T}Kernels::scalarsMinMax,
                    ${t}s(a),
                    ${t}s(b),
                    Expected.${t}s(
                        ${t}s(
                            2 * a.length,
                            i ->
                                i % 2 == 0
                                    ? Math.min(a[i / 2], b[i / 2])
                                    : Math.max(a[i / 2], b[i / 2]))))),
        reliedOn(
            "scalars-order-${t}",
            "Scalars.isSmaller and isLarger order ${t}s as Math.min and Math.max do",
            () ->
                each(
                    ${T}Kernels::scalarsOrder,
                    ${t}s(a),
                    ${t}s(b),
                    Expected.ints(
                        range(a.length)
                            .flatMap(
                                i ->
                                    IntStream.of(
                                        bit(wins(Math.min(a[i], b[i]), a[i], b[i])),
                                        bit(wins(Math.max(a[i], b[i]), a[i], b[i]))))
                            .toArray()))),
        reliedOn(
            "sign-of-zero-${t}",
            "1 / x tells -0.0 from 0.0",
            () -> {
              ${t}[] x = {0${d}, -0${d}, 1${d}, -1${d}, 3${d}, -3${d}, 1e10${d}, -1e10${d}};
              return each(
                  ${T}Kernels::reciprocal,
                  ${t}s(x),
                  Expected.ints(ints(x.length, i -> i % 2)));
            }));
  }

  private static List<JitRule> arithmetic() {
    ${t}[] a = Trials.lefts(${all});
    ${t}[] b = Trials.rights(${all});
    return List.of(
        reliedOn(
            "add-subtract-multiply-${t}",
            "sums, differences and products of ${t}s are rounded to nearest, subnormals kept",
            () ->
                each(
                    ${T}Kernels::arithmetic,
                    ${t}s(a),
                    ${t}s(b),
                    Expected.${t}s(
                        ${t}s(
                            3 * a.length,
                            i ->
                                switch (i % 3) {
                                  case 0 -> a[i / 3] + b[i / 3];
                                  case 1 -> a[i / 3] - b[i / 3];
                                  default -> a[i / 3] * b[i / 3];
                                })))),
        ${wide?then("reliedOn", "capability")}(
            "divide-${t}",
            "quotients of ${t}s are rounded to nearest",
            () -> {
              ${t}[] x = Trials.random${T}s(256, 1);
              ${t}[] y = Trials.random${T}s(256, 2);
              return each(
                  ${T}Kernels::quotient,
                  ${t}s(x),
                  ${t}s(y),
                  Expected.${t}s(${t}s(256, i -> x[i] / y[i])));
            }),
        workedAround(
            "multiply-add-${t}",
            "a * b + c rounds the product before the sum",
            () -> {
              ${t}[] x = Trials.random${T}s(256, 1);
              ${t}[] y = Trials.random${T}s(256, 2);
              ${t}[] z = ${t}s(256, i -> -(x[i] * y[i]));
              return each(
                  ${T}Kernels::multiplyAdd,
                  ${t}s(x),
                  ${t}s(y),
                  ${t}s(z),
                  Expected.${t}s(${t}s(256, i -> x[i] * y[i] + z[i])));
            }),
        reliedOn(
            "guarded-multiply-add-${t}",
            "a product that a guard stands before is rounded before it is added",
            () -> {
              int threads = 64;
              int perThread = 8;
              int length = 1500;
              ${t}[] x = Trials.random${T}s(length, 1);
              ${t}[] y = Trials.random${T}s(length, 2);
              Expected<${T}Array> out =
                  Expected.${t}s(
                      ${t}s(
                          threads,
                          i -> {
                            ${t} sum = 0${d};
                            for (int item = i; item < length; item += threads) {
                              ${t} product = x[item] * y[item];
                              sum += product;
                            }
                            return sum;
                          }));
              return JitTrial.of(
                  KernelTask.of(
                      "each",
                      Trials.gridFor(threads),
                      ${T}Kernels::guardedMultiplyAdd,
                      ints(length, threads),
                      ${t}s(x),
                      ${t}s(y),
                      out.array(),
                      perThread),
                  out);
            }),
        reliedOn(
            "sum-in-order-${t}",
            "a loop adds ${t}s one by one, in its order",
            () -> {
              int threads = 64;
              int length = 1500;
              ${t}[] x = Trials.random${T}s(length, 1);
              Expected<${T}Array> out =
                  Expected.${t}s(
                      ${t}s(
                          threads,
                          i -> {
                            ${t} sum = 0${d};
                            for (int item = i; item < length; item += threads) {
                              sum += x[item];
                            }
                            return sum;
                          }));
              return JitTrial.of(
                  KernelTask.of(
                      "each",
                      Trials.gridFor(threads),
                      ${T}Kernels::serialSum,
                      ints(length, threads),
                      ${t}s(x),
                      out.array()),
                  out);
            }));
  }

  private static List<JitRule> constants() {
    return List.of(
        capability(
            "infinity-as-start-${t}",
            "a loop can start from the constant infinity",
            () -> {
              ${t}[] x = Trials.random${T}s(320, 1);
              return each(
                  ${T}Kernels::infinityConstant,
                  ${t}s(x),
                  Expected.${t}s(
                      ${t}s(
                          32,
                          i -> {
                            ${t} smallest = x[i];
                            for (int item = i; item < 320; item += 32) {
                              smallest = Math.min(smallest, x[item]);
                            }
                            return smallest;
                          })));
            }),
        ${wide?then("workedAround", "capability")}(
            "infinity-as-operand-${t}",
            "the constant infinity can be an operand",
            () ->
                each(
                    ${T}Kernels::infinityOperand,
                    ${t}s(${all}),
                    Expected.${t}s(
                        ${t}s(${all}.length, i -> ${all}[i] + ${T}.POSITIVE_INFINITY)))),
        reliedOn(
            "identity-as-argument-${t}",
            "infinities and -0.0 can be scalar arguments",
            () -> {
              int[] selected = {0, 1, 2, 0, 2, 1};
              ${t}[] identities = {${T}.POSITIVE_INFINITY, ${T}.NEGATIVE_INFINITY, -0${d}};
              Expected<${T}Array> out =
                  Expected.${t}s(${t}s(selected.length, i -> identities[selected[i]]));
              return JitTrial.of(
                  KernelTask.of(
                      "each",
                      Trials.gridFor(selected.length),
                      ${T}Kernels::identity,
                      ints(selected),
                      out.array(),
                      identities[0],
                      identities[1],
                      identities[2]),
                  out);
            }));
  }

  private static List<JitRule> conversions() {
    return List.of(
        reliedOn(
            "copied-bits-of-${t}",
            "${T}.${rawBits} of what is loaded, stored as it is, and read after a barrier",
            () ->
                each(
                    ${T}Kernels::copiedBits,
                    ${t}s(${all}),
                    Expected.${bits}s(
                        ${bits}s(${all}.length, i -> ${T}.${rawBits}(${all}[i]) ^ 1)))),
        reliedOn(
            "copied-${t}-of-bits",
            "${T}.${bits}BitsTo${T} of what is loaded, stored as it is",
            () ->
                each(
                    ${T}Kernels::copiedOfBits,
                    ${bits}s(${allBits}),
                    Expected.${t}s(${t}s(${allBits}.length, i -> ${T}.${bits}BitsTo${T}(${allBits}[i]))))),
        reliedOn(
            "${t}-from-int",
            "an int becomes the nearest ${t}",
            () ->
                each(
                    ${T}Kernels::fromInt,
                    ints(INTS),
                    Expected.${t}s(${t}s(INTS.length, i -> (${t}) INTS[i])))),
        reliedOn(
            "${t}-from-long",
            "a long becomes the nearest ${t}",
            () ->
                each(
                    ${T}Kernels::fromLong,
                    longs(LONGS),
                    Expected.${t}s(${t}s(LONGS.length, i -> (${t}) LONGS[i])))),
        capability(
            "int-from-${t}",
            "(int) of a normal ${t} in range cuts the fraction off",
            () -> {
              ${t}[] x = {1${d}, -1${d}, 1.5${d}, -1.5${d}, 0.99${d}, 123456.7${d}, -8388607.5${d}, 1e9${d}};
              return each(
                  ${T}Kernels::toInt,
                  ${t}s(x),
                  Expected.ints(ints(x.length, i -> (int) x[i])));
            }),
        workedAround(
            "int-from-special-${t}",
            "(int) of NaN is 0, of infinity and large ${t}s the nearest int",
            () ->
                each(
                    ${T}Kernels::toInt,
                    ${t}s(${all}),
                    Expected.ints(ints(${all}.length, i -> (int) ${all}[i])))),
        workedAround(
            "long-from-${t}",
            "(long) of a ${t} beyond the ints keeps its high bits",
            () -> {
              ${t}[] x = {1${d}, -1${d}, 3e9${d}, -3e9${d}, 1e10${d}, -1e15${d}, 9e18${d}, -9e18${d}};
              return each(
                  ${T}Kernels::toLong,
                  ${t}s(x),
                  Expected.longs(longs(x.length, i -> (long) x[i])));
            }),
        workedAround(
            "long-from-special-${t}",
            "(long) of NaN is 0, of infinity and large ${t}s the nearest long",
            () ->
                each(
                    ${T}Kernels::toLong,
                    ${t}s(${all}),
                    Expected.longs(longs(${all}.length, i -> (long) ${all}[i])))));
  }
}
