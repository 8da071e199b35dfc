package funnel.cli;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDescs;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;

/** Mends a race by which rapaio-jupyter-kernel 3.0.1 does not answer after some of its starts. */
final class LoopThreadMend {

  /*
   * Its threads for the shell, the control and the heartbeat channel loop while a flag is up:
   *
   *     public void run()   { while (running) { ... } }
   *     public void start() { super.start(); running = true; }
   *
   * A thread that runs before the flag is up ends at once; the kernel then is there and hears
   * nothing, and Jupyter says "Kernel didn't respond". On two busy cores that is one start in four.
   * Here the flag goes up before the thread starts as well. A later version of the kernel in which
   * the statements stand in the right order is left as it is.
   */

  private static final String CLASS_FILE = "org/rapaio/jupyter/kernel/channels/LoopThread.class";
  private static final String FLAG = "running";

  private LoopThreadMend() {}

  /**
   * Mends a jar in place.
   *
   * @return whether it had the race
   */
  static boolean mend(Path jar) throws IOException {
    try (FileSystem entries = FileSystems.newFileSystem(jar)) {
      Path entry = entries.getPath(CLASS_FILE);
      if (!Files.exists(entry)) {
        return false;
      }
      ClassModel type = ClassFile.of().parse(Files.readAllBytes(entry));
      boolean hasFlag = type.fields().stream().anyMatch(LoopThreadMend::isFlag);
      if (!hasFlag || type.methods().stream().noneMatch(LoopThreadMend::startsBeforeTheFlag)) {
        return false;
      }
      Files.write(entry, mended(type));
      return true;
    }
  }

  private static boolean isFlag(FieldModel field) {
    return field.fieldName().equalsString(FLAG)
        && field.fieldTypeSymbol().equals(ConstantDescs.CD_boolean);
  }

  private static boolean isStart(MethodModel method) {
    return method.methodName().equalsString("start")
        && method.methodTypeSymbol().equals(ConstantDescs.MTD_void);
  }

  private static boolean startsBeforeTheFlag(MethodModel method) {
    CodeModel code = method.code().orElse(null);
    if (!isStart(method) || code == null) {
      return false;
    }
    for (CodeElement element : code) {
      if (element instanceof FieldInstruction access && access.opcode() == Opcode.PUTFIELD) {
        return false;
      }
      if (element instanceof InvokeInstruction call && call.name().equalsString("start")) {
        return true;
      }
    }
    return false;
  }

  private static byte[] mended(ClassModel type) {
    CodeTransform flagFirst =
        new CodeTransform() {
          @Override
          public void atStart(CodeBuilder code) {
            code.aload(0)
                .iconst_1()
                .putfield(type.thisClass().asSymbol(), FLAG, ConstantDescs.CD_boolean);
          }

          @Override
          public void accept(CodeBuilder code, CodeElement element) {
            code.with(element);
          }
        };
    return ClassFile.of()
        .transformClass(
            type, ClassTransform.transformingMethodBodies(LoopThreadMend::isStart, flagFirst));
  }
}
