package funnel.jit;

import java.lang.classfile.attribute.SignatureAttribute;
import java.lang.classfile.constantpool.ConstantPoolBuilder;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * Replaces a class's name in the types of its class file by the name of its copy.
 *
 * @param from the class
 * @param to the copy
 */
record Renaming(ClassDesc from, ClassDesc to) {

  /** Leaves all names unchanged. */
  static final Renaming NONE = new Renaming(ConstantDescs.CD_Object, ConstantDescs.CD_Object);

  ClassDesc of(ClassDesc type) {
    if (type.isArray()) {
      return of(type.componentType()).arrayType();
    }
    return type.equals(from) ? to : type;
  }

  MethodTypeDesc of(MethodTypeDesc type) {
    return MethodTypeDesc.of(
        of(type.returnType()), type.parameterList().stream().map(this::of).toList());
  }

  SignatureAttribute of(SignatureAttribute signature) {
    return SignatureAttribute.of(ConstantPoolBuilder.of().utf8Entry(of(signature.signature())));
  }

  String of(Utf8Entry signature) {
    String internal = from.descriptorString().substring(0, from.descriptorString().length() - 1);
    String replaced = to.descriptorString().substring(0, to.descriptorString().length() - 1);
    return signature
        .stringValue()
        .replace(internal + ";", replaced + ";")
        .replace(internal + "<", replaced + "<");
  }
}
