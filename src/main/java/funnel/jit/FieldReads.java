package funnel.jit;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields whose numbers and arrays a function gets with each run: variables of a notebook, which
 * are static fields, static final arrays, and final fields of the function's own object.
 */
final class FieldReads {

  private final @Nullable Class<?> receiver;
  private final List<Field> reads = new ArrayList<>();
  private final Set<LoadedMethod> seen = new HashSet<>();

  private FieldReads(@Nullable Class<?> receiver) {
    this.receiver = receiver;
  }

  /** The fields that a method reads, or methods that it calls. */
  static List<Field> of(LoadedMethod method, @Nullable Class<?> receiver) {
    FieldReads reads = new FieldReads(receiver);
    reads.collect(method);
    return List.copyOf(reads.reads);
  }

  private void collect(LoadedMethod method) {
    boolean isNew = !LoadedMethod.isPlatform(method.owner().getName()) && seen.add(method);
    MethodModel found = isNew ? method.find(LoadedMethod.classFile(method.owner())) : null;
    CodeModel code = found == null ? null : found.code().orElse(null);
    if (code == null) {
      return;
    }
    for (CodeElement element : code) {
      switch (element) {
        case FieldInstruction read -> {
          Field of = read(read, method.owner(), receiver);
          if (of != null && !reads.contains(of)) {
            reads.add(of);
          }
        }
        case InvokeInstruction call -> {
          LoadedMethod called = called(call, method.owner(), receiver);
          if (called != null) {
            collect(called);
          }
        }
        default -> {}
      }
    }
  }

  private static @Nullable Class<?> load(ClassDesc type, Class<?> in) {
    try {
      return Class.forName(LoadedMethod.binaryName(type), false, in.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return null; // which is refused when the method is copied
    }
  }

  /** The method of a user's class that a call in another one calls; null for others. */
  static @Nullable LoadedMethod called(
      InvokeInstruction call, Class<?> in, @Nullable Class<?> receiver) {
    ClassDesc owner = call.owner().asSymbol();
    if (owner.isArray() || LoadedMethod.isPlatform(LoadedMethod.binaryName(owner))) {
      return null;
    }
    Class<?> on = load(owner, in);
    String name = call.name().stringValue();
    String type = call.type().stringValue();
    if (on == null) {
      return null;
    }
    if (call.opcode() == Opcode.INVOKESTATIC) {
      return LoadedMethod.resolve(on, name, type, LoadedMethod::classFile);
    }
    if (receiver == null || !on.isAssignableFrom(receiver)) {
      return null;
    }
    return call.opcode() == Opcode.INVOKESPECIAL
        ? LoadedMethod.resolve(on, name, type, LoadedMethod::classFile)
        : new LoadedMethod(on, name, type).dispatched(receiver);
  }

  /** The method of the function's own object that a call calls; null for another call. */
  static @Nullable LoadedMethod ofReceiver(
      InvokeInstruction call, Class<?> in, @Nullable Class<?> receiver) {
    return receiver == null || call.opcode() == Opcode.INVOKESTATIC
        ? null
        : called(call, in, receiver);
  }

  /** The field, if its value comes with each run. */
  static @Nullable Field read(FieldInstruction read, Class<?> in, @Nullable Class<?> receiver) {
    boolean isStatic = read.opcode() == Opcode.GETSTATIC;
    ClassDesc of = read.typeSymbol();
    if (!LoadedMethod.isCapturable(of) || !isStatic && read.opcode() != Opcode.GETFIELD) {
      return null;
    }
    Class<?> owner = load(read.owner().asSymbol(), in);
    if (owner == null
        || !isStatic && (receiver == null || !owner.isAssignableFrom(receiver))
        || isStatic && LoadedMethod.isPlatform(owner.getName())) {
      return null;
    }
    boolean isCell = LoadedMethod.isCell(owner.getName());
    for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
      try {
        Field field = type.getDeclaredField(read.name().stringValue());
        boolean isFinal = Modifier.isFinal(field.getModifiers());
        if (Modifier.isStatic(field.getModifiers()) != isStatic
            || isStatic && (isFinal ? !LoadedMethod.isTable(of) : !isCell)
            || !isStatic && !isFinal) {
          return null;
        }
        field.setAccessible(true);
        return field;
      } catch (NoSuchFieldException e) {
        // in a superclass
      } catch (InaccessibleObjectException e) {
        return null;
      }
    }
    return null;
  }
}
