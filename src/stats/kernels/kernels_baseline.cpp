// The instruction set that every machine of the architecture has: NEON with its fused multiply-add, or SSE2.
#define RECTA_STATS_LEVEL baseline
#include "stats/kernels/kernels_body.hpp"
