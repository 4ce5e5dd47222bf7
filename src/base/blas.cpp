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

void expect(bool fits) {
  if (fits) return;
  std::fputs("recta: matrices passed to BLAS do not fit one another\n", stderr);
  std::abort();
}
int side(const ConstMatrix& a) {
  expect(a.rows == a.cols);
  return size(a.rows);
}

int checked(lapack_int info) {
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) throw std::bad_alloc();
  return info;
}

CBLAS_TRANSPOSE trans(Op op) {
  return op == Op::plain ? CblasNoTrans : CblasTrans;
}
CBLAS_UPLO uplo(Triangle t) {
  return t == Triangle::lower ? CblasLower : CblasUpper;
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

void syrk(double alpha, ConstMatrix a, double beta, Matrix c) {
  expect(c.rows == a.height() && c.cols == c.rows);
  cblas_dsyrk(CblasColMajor, CblasLower, trans(a.op), size(c.rows), size(a.width()), alpha, a.data, stride(a.stride),
              beta, c.data, stride(c.stride));
}

void gemm(double alpha, ConstMatrix a, ConstMatrix b, double beta, Matrix c) {
  expect(c.rows == a.height() && c.cols == b.width() && a.width() == b.height());
  cblas_dgemm(CblasColMajor, trans(a.op), trans(b.op), size(c.rows), size(c.cols), size(a.width()), alpha, a.data,
              stride(a.stride), b.data, stride(b.stride), beta, c.data, stride(c.stride));
}

void gemm(ConstFloatMatrix a, ConstFloatMatrix b, FloatMatrix c) {
  expect(c.rows == a.height() && c.cols == b.width() && a.width() == b.height());
  cblas_sgemm(CblasColMajor, trans(a.op), trans(b.op), size(c.rows), size(c.cols), size(a.width()), 1, a.data,
              stride(a.stride), b.data, stride(b.stride), 0, c.data, stride(c.stride));
}

void axpy(Index n, double alpha, const double* x, double* y) {
  cblas_daxpy(size(n), alpha, x, 1, y, 1);
}

double dot(Index n, const double* x, const double* y) {
  return cblas_ddot(size(n), x, 1, y, 1);
}

void gemv(double alpha, ConstMatrix a, const double* x, double beta, double* y) {
  cblas_dgemv(CblasColMajor, trans(a.op), size(a.rows), size(a.cols), alpha, a.data, stride(a.stride), x, 1, beta, y,
              1);
}

void symv(double alpha, ConstMatrix a, const double* x, double beta, double* y) {
  cblas_dsymv(CblasColMajor, CblasLower, side(a), alpha, a.data, stride(a.stride), x, 1, beta, y, 1);
}

void trsm(Side side_of_a, Triangle triangle, ConstMatrix a, Matrix b) {
  expect(side(a) == (side_of_a == Side::left ? b.rows : b.cols));
  cblas_dtrsm(CblasColMajor, side_of_a == Side::left ? CblasLeft : CblasRight, uplo(triangle), trans(a.op),
              CblasNonUnit, size(b.rows), size(b.cols), 1.0, a.data, stride(a.stride), b.data, stride(b.stride));
}

void trsv(Triangle triangle, ConstMatrix a, double* x) {
  cblas_dtrsv(CblasColMajor, uplo(triangle), trans(a.op), CblasNonUnit, side(a), a.data, stride(a.stride), x, 1);
}

int potrf(Matrix a) {
  return checked(LAPACKE_dpotrf(kByColumn, 'L', side(a), a.data, stride(a.stride)));
}

int potri(Matrix l) {
  return checked(LAPACKE_dpotri(kByColumn, 'L', side(l), l.data, stride(l.stride)));
}

int potrs(ConstMatrix l, Matrix b) {
  expect(b.rows == l.rows);
  return checked(
      LAPACKE_dpotrs(kByColumn, 'L', side(l), size(b.cols), l.data, stride(l.stride), b.data, stride(b.stride)));
}

int trtri(Triangle triangle, Matrix a) {
  const char letter = triangle == Triangle::lower ? 'L' : 'U';
  return checked(LAPACKE_dtrtri(kByColumn, letter, 'N', side(a), a.data, stride(a.stride)));
}

int geqrf(Matrix a, double* tau) {
  return checked(LAPACKE_dgeqrf(kByColumn, size(a.rows), size(a.cols), a.data, stride(a.stride), tau));
}

int orgqr(Index reflectors, Matrix a, const double* tau) {
  return checked(
      LAPACKE_dorgqr(kByColumn, size(a.rows), size(a.cols), size(reflectors), a.data, stride(a.stride), tau));
}

int gesdd(char job, Matrix a, double* values, Matrix u, Matrix vt) {
  return checked(LAPACKE_dgesdd(kByColumn, job, size(a.rows), size(a.cols), a.data, stride(a.stride), values, u.data,
                                stride(u.stride), vt.data, stride(vt.stride)));
}

int syevd(bool vectors, Matrix a, double* values) {
  return checked(LAPACKE_dsyevd(kByColumn, vectors ? 'V' : 'N', 'L', side(a), a.data, stride(a.stride), values));
}

} // namespace recta::blas
