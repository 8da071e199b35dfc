package funnel.engine.device;

import funnel.engine.Program;
import funnel.kernel.KernelTask;
import funnel.operation.Input;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * The structure of a program, independent of the names of its inputs, arrays and primitives: what
 * was loaded for one program can be used for any other program of its kind.
 *
 * @param made its arrays and its launches
 */
record ProgramKind(String made) {

  /* Arrays are identified by their numbers in the order in which ProgramArrays allocates them.
   * Everything that a Launcher may derive from a program must be in here: which arrays are
   * uploaded, in which order, which are scratch, which are written, fetched, and hold results, and
   * in each routine the launches with their numbers, which are constants of the kernels.
   */

  /**
   * The kind of a program over arrays of its own.
   *
   * @return null if it has none, because a kernel has an argument that is neither a number nor one
   *     of the program's arrays
   */
  static @Nullable ProgramKind of(Program program) {
    List<String> made = new ArrayList<>();
    Map<Object, Integer> numbers = new IdentityHashMap<>();
    ProgramArrays arrays =
        new ProgramArrays(
            program,
            Map.of(),
            (type, length) -> {
              // in place of one of full length, which would be zeroed needlessly
              TornadoNativeArray array = ProgramArrays.allocate(type, 1);
              numbers.put(array, numbers.size());
              made.add("%s[%s]".formatted(type, length));
              return array;
            });
    made.add("uploaded " + all(numbers, arrays.uploadedArrays().values()));
    program.inputs().stream().map(Input::capacity).map(String::valueOf).forEach(made::add);
    made.add("changed " + named(numbers, arrays, program.changedInputs()));
    for (Layout layout : program.layouts()) {
      layout.filled().forEach(filled -> made.add("filled " + filled.value()));
      made.add("checked " + layout.checkedElements());
    }
    arrays.allResultArrays().forEach((name, array) -> made.add(name + " " + numbers.get(array)));
    for (int routine = 0; routine < program.routines().size(); routine++) {
      made.add("scratch " + all(numbers, arrays.scratchArrays(routine)));
      made.add("written " + all(numbers, arrays.writtenArrays(routine)));
      List<String> fetched =
          program.routines().get(routine).steps().stream()
              .flatMap(step -> step.layout().arrays().stream())
              .map(Primitive.Slot::name)
              .toList();
      made.add("fetched " + named(numbers, arrays, fetched));
      for (KernelTask task : arrays.tasks(routine)) {
        List<Object> arguments =
            task.arguments().stream().filter(a -> !(a instanceof Number)).toList();
        List<@Nullable Integer> of = all(numbers, arguments);
        if (of.contains(null)) {
          return null;
        }
        made.add(task.signature() + of);
      }
    }
    return new ProgramKind(String.join("\n", made));
  }

  private static List<@Nullable Integer> named(
      Map<Object, Integer> numbers, ProgramArrays arrays, Collection<String> names) {
    return all(numbers, names.stream().map(arrays::array).toList());
  }

  private static List<@Nullable Integer> all(
      Map<Object, Integer> numbers, Collection<? extends Object> arrays) {
    List<@Nullable Integer> of = new ArrayList<>();
    arrays.forEach(array -> of.add(numbers.get(array)));
    return of;
  }
}
