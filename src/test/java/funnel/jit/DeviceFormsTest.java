package funnel.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operator.Operator;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceFormsTest {

  /** What a device copy must give as Java does. */
  static final class Conditions {
    private Conditions() {}

    static int mixed(int a, int b) {
      boolean first = a > 0 && (b > 0 || a < b);
      return (a >> 3) + (b >>> a) + Math.min(a, b) % 8 + (first ? 5 : 7) + sign(a - b);
    }

    static int sign(int v) {
      if (v > 0 && v != 5) {
        return 1;
      }
      if (v == 5 || v < -9) {
        return -1;
      }
      return 0;
    }
  }

  /** In each of these one condition decides. */
  static final class Single {
    private Single() {}

    static boolean isOver(int v) {
      return v > 2;
    }

    static boolean isOver(double v) {
      return !(v > 2.5);
    }

    static int third(int v) {
      return v % 3 == 0 ? 5 : 7;
    }

    static int first(int v) {
      if (v >> 3 < 0) {
        return 1;
      }
      return 0;
    }
  }

  /** In each of these, constants of one condition can become another's. */
  static final class Nested {
    private Nested() {}

    static boolean isBetween(int v) {
      return v > 2 && v < 9;
    }

    static boolean isSmall(int v) {
      return !Single.isOver(v);
    }

    static int letter(int v) {
      return switch (v) {
        case 1 -> 7;
        default -> 9;
      };
    }
  }

  @Test
  void copyForDevice_givesTheSameInOtherForms() throws ReflectiveOperationException {
    Operator.IntCombine mixed = Conditions::mixed;
    Map<String, KernelCopies.Replacement> bodies =
        Map.of("combine(II)I", new KernelCopies.Body(mixed));
    Class<?> forDevice =
        KernelCopies.copyForDevice(MethodHandles.lookup(), CopiedKernels.class, bodies);
    Class<?> plain = KernelCopies.copy(MethodHandles.lookup(), CopiedKernels.class, bodies);
    assertNotSame(plain, forDevice);
    PlaceholderCalls copy = (PlaceholderCalls) forDevice.getDeclaredConstructor().newInstance();
    for (int a = -20; a < 70; a++) {
      for (int b = -20; b < 20; b++) {
        assertEquals(Conditions.mixed(a, b), copy.combine(a, b), a + ", " + b);
      }
    }
    for (String name : new String[] {"shiftRight", "shiftRightUnsigned", "remainder"}) {
      assertTrue(uses(forDevice, name), name);
      assertFalse(uses(plain, name), name);
    }
  }

  private static boolean uses(Class<?> copy, String method) {
    byte[] bytes = ClassFiles.read(copy.getName(), copy.getClassLoader());
    return bytes != null
        && ClassFile.of().parse(bytes).methods().stream()
            .flatMap(m -> m.code().stream())
            .flatMap(code -> code.elementStream())
            .anyMatch(
                e ->
                    e instanceof InvokeInstruction call
                        && call.owner().asSymbol().equals(DeviceForms.SCALARS)
                        && call.name().equalsString(method));
  }

  @Test
  void constantsThatMeet_areFloatsUntilThen() throws Throwable {
    byte[] changed = transformed(Conditions.class, true);
    MethodHandles.Lookup hidden = MethodHandles.lookup().defineHiddenClass(changed, true);
    MethodHandle mixed =
        hidden.findStatic(
            hidden.lookupClass(), "mixed", MethodType.methodType(int.class, int.class, int.class));
    for (int a = -20; a < 70; a++) {
      for (int b = -20; b < 20; b++) {
        assertEquals(Conditions.mixed(a, b), (int) mixed.invokeExact(a, b), a + ", " + b);
      }
    }
    assertEquals(3, conversions(changed)); // first, the 5 and 7, and the results of sign
    assertEquals(3, conversions(transformed(Conditions.class, false)));
  }

  /** A conversion for each of the methods, unless nothing can nest. */
  @Test
  void constantsThatMeet_staySoWhereNothingNests() {
    assertEquals(0, conversions(transformed(Single.class, false)));
    assertEquals(4, conversions(transformed(Single.class, true)));
    assertEquals(3, conversions(transformed(Nested.class, false)));
  }

  /** The class with other forms in its methods. */
  private static byte[] transformed(Class<?> type, boolean nests) {
    byte[] bytes = ClassFiles.read(type.getName(), type.getClassLoader());
    ClassFile files = ClassFile.of();
    return files.transformClass(
        files.parse(bytes == null ? new byte[0] : bytes),
        (classes, element) -> {
          if (element instanceof MethodModel method && method.flags().has(AccessFlag.STATIC)) {
            CodeModel code = method.code().orElseThrow();
            classes.transformMethod(
                method,
                MethodTransform.transformingCode(transform(new DeviceForms(code, true, nests))));
          } else {
            classes.with(element);
          }
        });
  }

  private static long conversions(byte[] type) {
    return ClassFile.of().parse(type).methods().stream()
        .flatMap(m -> m.code().stream())
        .flatMap(code -> code.elementStream())
        .filter(e -> e instanceof ConvertInstruction convert && convert.opcode() == Opcode.F2I)
        .count();
  }

  private static CodeTransform transform(DeviceForms forms) {
    return new CodeTransform() {
      @Override
      public void accept(CodeBuilder builder, CodeElement element) {
        if (!forms.rewrite(builder, element)) {
          builder.with(element);
        }
      }

      @Override
      public void atEnd(CodeBuilder builder) {
        forms.writeEnd(builder);
      }
    };
  }
}
