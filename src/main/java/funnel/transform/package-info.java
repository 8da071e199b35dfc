/**
 * What makes an array of arrays, or of none, element by element: its descriptions, and its forms.
 */
@NullMarked
package funnel.transform;

import org.jspecify.annotations.NullMarked;
