#include "base/blas.hpp"

#include <cblas.h>
#include <cstdio>
#include <cstdlib>
#include <lapacke.h>
#include <limits>
#include <mutex>
#include <new>
#include <pthread.h>

namespace recta::blas {

namespace {

std::mutex mutex;
int depth = 0;                   // SerialBlas objects alive in this process
int threads_before = 1;          // threads before the first of them
thread_local int depth_here = 0; // objects alive in this thread

// A fork must not happen between lock and unlock, and in the child only the objects of the forking thread are left.
void guard_forks() {
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); },
                   [] {
                     depth = depth_here;
                     mutex.unlock();
                   });
  });
}

int size(Index n) {
  if (n >= 0 && n <= std::numeric_limits<std::int32_t>::max()) return static_cast<int>(n);
  std::fputs("recta: a matrix passed to BLAS has a side beyond 2^31\n", stderr);
  std::abort();
}
// BLAS refuses a stride of 0, even for a matrix without rows.
int stride(Index n) {
  return size(n > 0 ? n : 1);
}

int checked(lapack_int info) {
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) throw std::bad_alloc();
  return info;
}

CBLAS_TRANSPOSE trans(Op op) {
  return op == Op::plain ? CblasNoTrans : CblasTrans;
}
CBLAS_SIDE side_of(Side side) {
  return side == Side::left ? CblasLeft : CblasRight;
}
CBLAS_UPLO uplo(Triangle t) {
  return t == Triangle::lower ? CblasLower : CblasUpper;
}
char letter(Op op) {
  return op == Op::plain ? 'N' : 'T';
}
char letter(Side side) {
  return side == Side::left ? 'L' : 'R';
}
char letter(Triangle t) {
  return t == Triangle::lower ? 'L' : 'U';
}

constexpr int kByColumn = LAPACK_COL_MAJOR;

} // namespace

SerialBlas::SerialBlas() {
  guard_forks();
  const std::lock_guard lock(mutex);
  ++depth_here;
  if (depth++ > 0) return;
  threads_before = openblas_get_num_threads();
  if (threads_before != 1) openblas_set_num_threads(1);
}

SerialBlas::~SerialBlas() {
  const std::lock_guard lock(mutex);
  --depth_here;
  if (--depth == 0 && threads_before != 1) openblas_set_num_threads(threads_before);
}

void syrk(Op op, Index n, Index k, double alpha, ConstMatrix a, double beta, Matrix c) {
  cblas_dsyrk(CblasColMajor, CblasLower, trans(op), size(n), size(k), alpha, a.data, stride(a.stride), beta, c.data,
              stride(c.stride));
}

void gemm(Op op_a, Op op_b, Index m, Index n, Index k, double alpha, ConstMatrix a, ConstMatrix b, double beta,
          Matrix c) {
  cblas_dgemm(CblasColMajor, trans(op_a), trans(op_b), size(m), size(n), size(k), alpha, a.data, stride(a.stride),
              b.data, stride(b.stride), beta, c.data, stride(c.stride));
}

void gemm(Op op_a, Op op_b, Index m, Index n, Index k, ConstFloatMatrix a, ConstFloatMatrix b, FloatMatrix c) {
  cblas_sgemm(CblasColMajor, trans(op_a), trans(op_b), size(m), size(n), size(k), 1, a.data, stride(a.stride), b.data,
              stride(b.stride), 0, c.data, stride(c.stride));
}

void axpy(Index n, double alpha, const double* x, double* y) {
  cblas_daxpy(size(n), alpha, x, 1, y, 1);
}

double dot(Index n, const double* x, const double* y) {
  return cblas_ddot(size(n), x, 1, y, 1);
}

void gemv(Op op, Index m, Index n, double alpha, ConstMatrix a, const double* x, double beta, double* y) {
  cblas_dgemv(CblasColMajor, trans(op), size(m), size(n), alpha, a.data, stride(a.stride), x, 1, beta, y, 1);
}

void symv(Index n, double alpha, ConstMatrix a, const double* x, double beta, double* y) {
  cblas_dsymv(CblasColMajor, CblasLower, size(n), alpha, a.data, stride(a.stride), x, 1, beta, y, 1);
}

void trsm(Side side, Triangle triangle, Op op, Index m, Index n, ConstMatrix a, Matrix b) {
  cblas_dtrsm(CblasColMajor, side_of(side), uplo(triangle), trans(op), CblasNonUnit, size(m), size(n), 1.0, a.data,
              stride(a.stride), b.data, stride(b.stride));
}

void trsv(Triangle triangle, Op op, Index n, ConstMatrix a, double* x) {
  cblas_dtrsv(CblasColMajor, uplo(triangle), trans(op), CblasNonUnit, size(n), a.data, stride(a.stride), x, 1);
}

int potrf(Index n, Matrix a) {
  return checked(LAPACKE_dpotrf(kByColumn, 'L', size(n), a.data, stride(a.stride)));
}

int potri(Index n, Matrix l) {
  return checked(LAPACKE_dpotri(kByColumn, 'L', size(n), l.data, stride(l.stride)));
}

int potrs(Index n, Index m, ConstMatrix l, Matrix b) {
  return checked(LAPACKE_dpotrs(kByColumn, 'L', size(n), size(m), l.data, stride(l.stride), b.data, stride(b.stride)));
}

int trtri(Triangle triangle, Index n, Matrix a) {
  return checked(LAPACKE_dtrtri(kByColumn, letter(triangle), 'N', size(n), a.data, stride(a.stride)));
}

int geqrf(Index m, Index n, Matrix a, double* tau) {
  return checked(LAPACKE_dgeqrf(kByColumn, size(m), size(n), a.data, stride(a.stride), tau));
}

int orgqr(Index m, Index n, Index k, Matrix a, const double* tau) {
  return checked(LAPACKE_dorgqr(kByColumn, size(m), size(n), size(k), a.data, stride(a.stride), tau));
}

int tzrzf(Index m, Index n, Matrix a, double* tau) {
  return checked(LAPACKE_dtzrzf(kByColumn, size(m), size(n), a.data, stride(a.stride), tau));
}

int ormrz(Side side, Op op, Index m, Index n, Index k, Index l, ConstMatrix a, const double* tau, Matrix c) {
  return checked(LAPACKE_dormrz(kByColumn, letter(side), letter(op), size(m), size(n), size(k), size(l), a.data,
                                stride(a.stride), tau, c.data, stride(c.stride)));
}

int gesdd(char job, Index m, Index n, Matrix a, double* values, Matrix u, Matrix vt) {
  return checked(LAPACKE_dgesdd(kByColumn, job, size(m), size(n), a.data, stride(a.stride), values, u.data,
                                stride(u.stride), vt.data, stride(vt.stride)));
}

int syevd(bool vectors, Index n, Matrix a, double* values) {
  return checked(LAPACKE_dsyevd(kByColumn, vectors ? 'V' : 'N', 'L', size(n), a.data, stride(a.stride), values));
}

} // namespace recta::blas
