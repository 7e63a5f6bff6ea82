// The reentrant functions only: tests run side by side, and the others share one context.
#define GEOS_USE_ONLY_R_API
#include <geos_c.h>
