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
#include <type_traits>

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

// A matrix by column, `stride` numbers from each to the next: square and without gaps unless it is said. Rows kept in C
// order are its columns. As a factor it may be meant transposed.
template <class Number>
struct MatrixOf {
  Number* data;
  Index rows, cols = rows, stride = rows;
  Op op = Op::plain;

  Index height() const { return op == Op::plain ? rows : cols; } // of op(A)
  Index width() const { return op == Op::plain ? cols : rows; }
  operator MatrixOf<const Number>() const
    requires(!std::is_const_v<Number>)
  {
    return {data, rows, cols, stride, op};
  }
};
using Matrix = MatrixOf<double>;
using ConstMatrix = MatrixOf<const double>;
using FloatMatrix = MatrixOf<float>;
using ConstFloatMatrix = MatrixOf<const float>;

inline ConstMatrix transposed(ConstMatrix a) {
  a.op = a.op == Op::plain ? Op::transposed : Op::plain;
  return a;
}
inline ConstFloatMatrix transposed(ConstFloatMatrix a) {
  a.op = a.op == Op::plain ? Op::transposed : Op::plain;
  return a;
}

// C = alpha op(A) op(A)' + beta C, lower triangle of C.
void syrk(double alpha, ConstMatrix a, double beta, Matrix c);
// C = alpha op(A) op(B) + beta C.
void gemm(double alpha, ConstMatrix a, ConstMatrix b, double beta, Matrix c);
// y = alpha op(A) x + beta y.
void gemv(double alpha, ConstMatrix a, const double* x, double beta, double* y);
// y = alpha A x + beta y; A symmetric, lower triangle given.
void symv(double alpha, ConstMatrix a, const double* x, double beta, double* y);
// In single precision: C = op(A) op(B).
void gemm(ConstFloatMatrix a, ConstFloatMatrix b, FloatMatrix c);
void axpy(Index n, double alpha, const double* x, double* y); // y += alpha x
double dot(Index n, const double* x, const double* y);
// B = op(A)^-1 B (left) or B op(A)^-1 (right); A is triangular with its own diagonal.
void trsm(Side side, Triangle triangle, ConstMatrix a, Matrix b);
// x = op(A)^-1 x; A is triangular with its own diagonal.
void trsv(Triangle triangle, ConstMatrix a, double* x);

// Returns LAPACK's `info`: 0 is success, a positive value is as documented for the routine, a negative one: that
// argument holds a NaN.
int potrf(Matrix a);                // A = L L'; k > 0: the k-th leading minor is not positive
int potri(Matrix l);                // L becomes the lower triangle of A^-1
int potrs(ConstMatrix l, Matrix b); // B = A^-1 B
int trtri(Triangle triangle, Matrix a);
int geqrf(Matrix a, double* tau);
int orgqr(Index reflectors, Matrix a, const double* tau);
// 'S': as many vectors as A has rows or columns, 'N': values only, 'A': all. Destroys A. Values descend.
int gesdd(char job, Matrix a, double* values, Matrix u, Matrix vt);
// Values ascend; vectors are in the columns of A if asked for.
int syevd(bool vectors, Matrix a, double* values);

} // namespace recta::blas
