// The instruction set that every machine of the architecture has: NEON or SSE2.
#define RECTA_CENTRED_LEVEL baseline
#include "certificate/discriminant/centred_row_body.hpp"
