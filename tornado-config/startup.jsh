// What `funnel jshell` begins with: Funnel's imports, and an open Funnel.
import funnel.*;
import funnel.operator.*;
import funnel.operation.Target;
import funnel.group.Aggregate;
import funnel.histogram.Histogram;
import funnel.io.*;
import funnel.reduce.Reduction;
import funnel.sort.Sort;

Funnel funnel = Funnel.open();    // a GPU if TornadoVM finds one, else the JVM
