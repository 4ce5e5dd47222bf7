#if defined(__x86_64__)
#define RECTA_LINES_LEVEL avx2
#include "stats/line_sums/line_sums_body.hpp"
#endif
