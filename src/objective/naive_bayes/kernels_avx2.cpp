#if defined(__x86_64__)
#define RECTA_BAYES_LEVEL avx2
#include "objective/naive_bayes/kernels_body.hpp"
#endif
