package funnel.jit;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which methods call which. */
final class CallGraph {

  private final Map<LoadedMethod, Set<LoadedMethod>> callees = new HashMap<>();

  /** Adds a call. */
  void add(LoadedMethod caller, LoadedMethod callee) {
    callees.computeIfAbsent(caller, m -> new LinkedHashSet<>()).add(callee);
  }

  /** Whether a method calls it. */
  boolean isCalled(LoadedMethod method) {
    return callees.values().stream().anyMatch(of -> of.contains(method));
  }

  /** The methods that call themselves, directly or through others. */
  List<LoadedMethod> recursive() {
    return callees.keySet().stream().filter(m -> reaches(m, m, new HashSet<>())).toList();
  }

  /** Whether a method is another, or calls it, directly or through others. */
  boolean leads(LoadedMethod from, LoadedMethod to) {
    return from.equals(to) || reaches(from, to, new HashSet<>());
  }

  private boolean reaches(LoadedMethod start, LoadedMethod goal, Set<LoadedMethod> seen) {
    for (LoadedMethod callee : callees.getOrDefault(start, Set.of())) {
      if (callee.equals(goal) || (seen.add(callee) && reaches(callee, goal, seen))) {
        return true;
      }
    }
    return false;
  }
}
