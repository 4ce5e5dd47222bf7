#if defined(__x86_64__)
#define RECTA_HASH_LEVEL avx512
#include "stats/fingerprint/line_body.hpp"
#endif
