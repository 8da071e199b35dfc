/** Operations that compute an array element by element, from other arrays or from none. */
@NullMarked
package funnel.transform;

import org.jspecify.annotations.NullMarked;
