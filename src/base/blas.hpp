// Typed wrappers of the BLAS and LAPACK routines in use, by column, always serial.
//
// With more than one thread OpenBLAS would give different bits (dpotrf on two threads differs from one) and compete
// with our pool for the cores. Its thread count is one number for the whole process, shared with everyone who linked
// the same library (this version has no count per thread). So it is not set permanently: a SerialBlas object sets it to
// one while any such object lives and then restores the count it found. Anyone who calls the same OpenBLAS from another
// thread meanwhile is served by one thread, correctly. numpy from PyPI carries its own copy and notices nothing. Every
// pool holds such an object, so that work with a pool is always inside; nesting is free.
//
// Sizes are Index here and 32-bit in the library; a size that does not fit stops the program, since callers cut their
// work into blocks or refuse it long before. If LAPACKE runs out of memory, std::bad_alloc is thrown.
#pragma once

#include <recta/error.hpp>

#include <cstdint>

namespace recta::blas {

class SerialBlas {
public:
  SerialBlas();
  ~SerialBlas();
  SerialBlas(const SerialBlas&) = delete;
  SerialBlas& operator=(const SerialBlas&) = delete;
};

enum class Op : std::uint8_t { plain, transposed };
enum class Side : std::uint8_t { left, right };
enum class Triangle : std::uint8_t { lower, upper };

struct ConstMatrix { // by column, `stride` between columns
  const double* data;
  Index stride;
};
struct Matrix {
  double* data;
  Index stride;
  operator ConstMatrix() const { return {data, stride}; }
};

// C = alpha op(A) op(A)' + beta C, lower triangle of C (n x n); op(A) is n x k. Rows kept in C order are the columns
// of A with Op::plain.
void syrk(Op op, Index n, Index k, double alpha, ConstMatrix a, double beta, Matrix c);
// C = alpha op(A) op(B) + beta C; C is m x n, op(A) m x k.
void gemm(Op op_a, Op op_b, Index m, Index n, Index k, double alpha, ConstMatrix a, ConstMatrix b, double beta,
          Matrix c);
// y = alpha op(A) x + beta y; A is m x n.
void gemv(Op op, Index m, Index n, double alpha, ConstMatrix a, const double* x, double beta, double* y);
// y = alpha A x + beta y; A symmetric n x n, lower triangle given.
void symv(Index n, double alpha, ConstMatrix a, const double* x, double beta, double* y);
// The same in single precision: C = op(A) op(B).
struct ConstFloatMatrix {
  const float* data;
  Index stride;
};
struct FloatMatrix {
  float* data;
  Index stride;
};
void gemm(Op op_a, Op op_b, Index m, Index n, Index k, ConstFloatMatrix a, ConstFloatMatrix b, FloatMatrix c);
void axpy(Index n, double alpha, const double* x, double* y); // y += alpha x
double dot(Index n, const double* x, const double* y);
// B = op(A)^-1 B (left) or B op(A)^-1 (right); A is triangular with its own diagonal, B is m x n.
void trsm(Side side, Triangle triangle, Op op, Index m, Index n, ConstMatrix a, Matrix b);
// x = op(A)^-1 x; A is triangular with its own diagonal.
void trsv(Triangle triangle, Op op, Index n, ConstMatrix a, double* x);

// Returns LAPACK's `info`: 0 is success, a positive value is as documented for the routine, a negative one: that
// argument holds a NaN.
int potrf(Index n, Matrix a);                         // A = L L'; k > 0: the k-th leading minor is not positive
int potri(Index n, Matrix l);                         // L becomes the lower triangle of A^-1
int potrs(Index n, Index m, ConstMatrix l, Matrix b); // B (n x m) = A^-1 B
int trtri(Triangle triangle, Index n, Matrix a);
int geqrf(Index m, Index n, Matrix a, double* tau);
int orgqr(Index m, Index n, Index k, Matrix a, const double* tau);
int tzrzf(Index m, Index n, Matrix a, double* tau); // upper trapezoid m x n, m <= n, to [R 0] Z
int ormrz(Side side, Op op, Index m, Index n, Index k, Index l, ConstMatrix a, const double* tau, Matrix c);
// 'S': the first min(m, n) vectors, 'N': values only, 'A': all. Destroys A. Values descend.
int gesdd(char job, Index m, Index n, Matrix a, double* values, Matrix u, Matrix vt);
// Values ascend; vectors are in the columns of A if asked for.
int syevd(bool vectors, Index n, Matrix a, double* values);

} // namespace recta::blas
