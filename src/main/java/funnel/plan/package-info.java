/** What a plan is made of: its names, arguments and checks, and what is closed with it. */
@NullMarked
package funnel.plan;

import org.jspecify.annotations.NullMarked;
