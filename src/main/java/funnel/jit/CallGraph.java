package funnel.jit;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which methods call which. */
final class CallGraph {

  private final Map<StaticMethod, Set<StaticMethod>> callees = new HashMap<>();

  /** Adds a call. */
  void add(StaticMethod caller, StaticMethod callee) {
    callees.computeIfAbsent(caller, m -> new LinkedHashSet<>()).add(callee);
  }

  /** The methods that call themselves, directly or through others. */
  List<StaticMethod> recursive() {
    return callees.keySet().stream().filter(m -> reaches(m, m, new HashSet<>())).toList();
  }

  private boolean reaches(StaticMethod start, StaticMethod goal, Set<StaticMethod> seen) {
    for (StaticMethod callee : callees.getOrDefault(start, Set.of())) {
      if (callee.equals(goal) || (seen.add(callee) && reaches(callee, goal, seen))) {
        return true;
      }
    }
    return false;
  }
}
