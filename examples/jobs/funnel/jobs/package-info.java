/** Five jobs as a user would write them: {@code examples/jobs/README.md} says how to run them. */
@NullMarked
package funnel.jobs;

import org.jspecify.annotations.NullMarked;
