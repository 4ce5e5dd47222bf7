#if defined(__x86_64__)
#define RECTA_STATS_LEVEL avx512
#include "stats/kernels/kernels_body.hpp"
#endif
