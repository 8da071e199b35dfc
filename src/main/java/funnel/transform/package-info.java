/** What makes an array of an array, element by element: its descriptions, and its forms. */
@NullMarked
package funnel.transform;

import org.jspecify.annotations.NullMarked;
