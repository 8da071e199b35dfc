package funnel.call;

import funnel.operation.Operation;
import java.util.List;

/**
 * A one-shot call. Its plan has the call's name, and inputs and outputs have the names of the
 * call's parameters, since messages contain these names.
 *
 * @param name of the call
 * @param output the name of its output
 * @param operation the operation that it runs
 * @param inputs the names of its inputs
 */
public record Call(String name, String output, Operation operation, List<String> inputs) {}
