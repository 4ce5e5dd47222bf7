// The instruction set that every machine of the architecture has: NEON or SSE2.
#define RECTA_BAYES_LEVEL baseline
#include "objective/naive_bayes/kernels_body.hpp"
