#if defined(__x86_64__)
#define RECTA_CENTRED_LEVEL avx2
#include "certificate/discriminant/centred_row_body.hpp"
#endif
