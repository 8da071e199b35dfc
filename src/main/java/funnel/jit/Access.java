package funnel.jit;

import funnel.jit.CopyWriter.Body;
import funnel.jit.LoadedMethod.Refusal;
import java.lang.classfile.ClassModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members of other classes that a copy of a class may use, by the JVM's access rules. */
final class Access {

  /* User-defined bodies may use only public members of public classes, wherever they are copied to.
   * So a function that can be copied into one kernel class can be copied into any.
   */

  private static final String HINT =
      ": make it a static final scalar, which is copied as a constant";

  private final Class<?> original;
  private final Map<Class<?>, @Nullable ClassModel> files = new HashMap<>();

  /** The access that {@code original} has, except to private members of its nest. */
  Access(Class<?> original) {
    this.original = original;
  }

  /** The value of a final static scalar; null if the field is not final or cannot be read. */
  @Nullable ConstantDesc finalScalar(Class<?> on, String name, ClassDesc type) {
    Class<?> owner = on;
    while (owner != null
        && memberFlags(classFile(owner), name, type.descriptorString(), true) < 0) {
      owner = owner.getSuperclass();
    }
    if (owner == null) {
      return null;
    }
    try {
      Field field = owner.getDeclaredField(name);
      if (!Modifier.isFinal(field.getModifiers())) {
        return null;
      }
      field.setAccessible(true);
      return switch (field.get(null)) {
        case Boolean b -> b ? 1 : 0;
        case Character c -> (int) c;
        case Byte b -> (int) b;
        case Short s -> (int) s;
        case Integer i -> i;
        case Long l -> l;
        case Float f -> f;
        case Double d -> d;
        case null, default -> null;
      };
    } catch (ReflectiveOperationException | InaccessibleObjectException | LinkageError e) {
      return null; // then it stays a field access, and is checked as one
    }
  }

  /** The class file of a class, or null. */
  @Nullable ClassModel classFile(Class<?> type) {
    if (!files.containsKey(type)) {
      files.put(type, LoadedMethod.classFile(type));
    }
    return files.get(type);
  }

  /** The class that a name refers to in a body. */
  static Class<?> load(ClassDesc type, Body in) {
    String name = LoadedMethod.binaryName(type);
    try {
      return Class.forName(name, false, in.method().owner().getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      throw new Refusal("%s uses class %s, which is not found".formatted(in.method(), name));
    }
  }

  /** Throws if a body uses a class which a copy cannot access. */
  void requireAccessible(ClassDesc type, Body in) {
    String name = LoadedMethod.binaryName(type);
    if (!LoadedMethod.isPlatform(name) && !isAccessible(load(type, in), in.user())) {
      throw new Refusal(
          "%s uses class %s, which is not public or belongs to another class loader"
              .formatted(in.method(), name));
    }
  }

  private boolean isAccessible(Class<?> type, boolean user) {
    if (!user && type.getPackageName().equals(original.getPackageName())) {
      return type.getClassLoader() == original.getClassLoader();
    }
    try {
      return Modifier.isPublic(type.getModifiers())
          && type.getModule().isExported(type.getPackageName(), original.getModule())
          && Class.forName(type.getName(), false, original.getClassLoader()) == type;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** Whether a body can call a method where it is. */
  boolean isAccessible(LoadedMethod method, Body in) {
    int flags = memberFlags(classFile(method.owner()), method.name(), method.descriptor(), false);
    return isAccessible(method.owner(), in.user())
        && isAccessible(method.owner(), flags, in.user());
  }

  private boolean isAccessible(Class<?> owner, int flags, boolean user) {
    boolean samePackage =
        !user
            && owner.getPackageName().equals(original.getPackageName())
            && owner.getClassLoader() == original.getClassLoader();
    return Modifier.isPublic(flags) || (samePackage && !Modifier.isPrivate(flags));
  }

  /* Variables of a notebook cell are never final, whatever the cell declares. */
  private static String hint(String owner) {
    return LoadedMethod.isCell(owner)
        ? ": constants go into a class of a cell, `class Constants { static final int K = 3; }`"
        : HINT;
  }

  /** Why a device cannot use a field. */
  String fieldReason(ClassDesc owner, String field, String descriptor, Body in) {
    String name = LoadedMethod.binaryName(owner);
    Class<?> type = load(owner, in);
    int flags = memberFlags(classFile(type), field, descriptor, true);
    if (descriptor.startsWith("[")) {
      return "%s reads the array %s.%s, %s"
          .formatted(
              in.method(),
              name,
              field,
              LoadedMethod.isCapturable(ClassDesc.ofDescriptor(descriptor))
                  ? "which may be replaced by another one: make its field final, or copy it to a"
                      + " local variable before the lambda"
                  : "and a device has arrays of numbers alone");
    }
    if (flags >= 0 && Modifier.isStatic(flags) && !Modifier.isFinal(flags)) {
      return "%s uses %s.%s, which is not final, so that its value may change%s"
          .formatted(in.method(), name, field, hint(name));
    }
    if (flags >= 0 && !Modifier.isStatic(flags) && !Modifier.isFinal(flags)) {
      return "%s uses %s.%s, which is not final, so that its value may change: make it final"
          .formatted(in.method(), name, field);
    }
    return "%s uses %s.%s, which is not a constant%s"
        .formatted(in.method(), name, field, hint(name));
  }

  /** Throws if a body uses a field or method which a copy cannot access. */
  void requireAccessibleMember(
      ClassDesc owner, String member, String descriptor, boolean isField, Body in) {
    String name = LoadedMethod.binaryName(owner);
    if (LoadedMethod.isPlatform(name) || owner.isArray()) {
      return;
    }
    if (!isAccessible(load(owner, in), in.user())) {
      throw new Refusal(
          isField && in.user()
              ? fieldReason(owner, member, descriptor, in)
              : "%s uses %s.%s, which is not public or belongs to another class loader"
                  .formatted(in.method(), name, member));
    }
    List<Class<?>> types = new ArrayList<>();
    types.add(load(owner, in));
    for (int i = 0; i < types.size(); i++) {
      Class<?> type = types.get(i);
      if (LoadedMethod.isPlatform(type.getName())) {
        continue;
      }
      int flags = memberFlags(classFile(type), member, descriptor, isField);
      if (flags >= 0) {
        if (!isAccessible(type, flags, in.user())) {
          throw new Refusal(
              isField && in.user()
                  ? fieldReason(owner, member, descriptor, in)
                  : "%s uses %s.%s, which is not public"
                      .formatted(in.method(), type.getName(), member));
        }
        return;
      }
      if (type.getSuperclass() != null) {
        types.add(type.getSuperclass());
      }
      types.addAll(List.of(type.getInterfaces()));
    }
  }

  private static int memberFlags(
      @Nullable ClassModel model, String name, String descriptor, boolean isField) {
    if (model == null) {
      return -1;
    }
    if (isField) {
      return model.fields().stream()
          .filter(f -> f.fieldName().equalsString(name) && f.fieldType().equalsString(descriptor))
          .mapToInt(f -> f.flags().flagsMask())
          .findFirst()
          .orElse(-1);
    }
    return model.methods().stream()
        .filter(m -> m.methodName().equalsString(name) && m.methodType().equalsString(descriptor))
        .mapToInt(m -> m.flags().flagsMask())
        .findFirst()
        .orElse(-1);
  }
}
