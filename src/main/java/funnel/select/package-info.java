/** What keeps some elements of an array and leaves out others: descriptions, and forms. */
@NullMarked
package funnel.select;

import org.jspecify.annotations.NullMarked;
