// Exact answers for small systems: doubles are integers times powers of two, and integer arithmetic has no rounding.
#pragma once

#include <recta/error.hpp>

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <span>
#include <vector>

namespace recta::separation {

using Integer = boost::multiprecision::cpp_int;

// Rows of doubles times one power of two, as integers.
struct WholeRows {
  std::vector<std::vector<Integer>> row;
  int exponent = 0;     // x = row * 2^exponent
  std::size_t bits = 0; // of the largest

  static constexpr int kMostBits = 2200; // all doubles from 2^-1074 to 2^1023 fit
  explicit WholeRows(const std::vector<std::vector<double>>& x);
};

// x = numerator / denominator, with one denominator for all unknowns.
struct WholeSolution {
  std::vector<Integer> numerator;
  Integer denominator = 1;
};

// A solution of M x = rhs by elimination without fractions (Bareiss, "Sylvester's identity and multistep
// integer-preserving Gaussian elimination", Math. Comp. 22, 1968); free unknowns are zero. Returns nothing if there is
// no solution. `system` has rhs as its last column.
std::optional<WholeSolution> solve_whole(std::vector<std::vector<Integer>> system);

// Approximate number of 64-bit word operations that solve_whole takes.
double work_of(std::size_t equations, std::size_t unknowns, std::size_t bits);

// The span of rows, as rows in echelon form without fractions.
class WholeSpan {
public:
  bool add(std::vector<Integer> row); // false: the row was in the span already
  bool holds(std::vector<Integer> row) const;
  std::size_t rank() const { return rows_.size(); }
  double work(const std::vector<Integer>& row) const; // approximate work of either

private:
  void reduce(std::vector<Integer>& row) const; // by the rows there are
  std::vector<std::vector<Integer>> rows_;
  std::vector<std::size_t> pivot_;
  double words_ = 1; // of the longest number
};

// whole * 2^exponent. Proper fractions are made for display alone: their greatest common divisors cost more than
// everything else.
struct Scaled {
  Integer whole = 0;
  int exponent = 0;
};
Scaled scaled(double x);
Scaled operator+(const Scaled& a, const Scaled& b);
Scaled operator-(const Scaled& a, const Scaled& b);
Scaled operator*(const Scaled& a, const Scaled& b);
bool operator<(const Scaled& a, const Scaled& b);

// a / b * 2^exponent as a double, to a relative error of 2^-52, and exactly if it is a double.
double quotient(const Integer& a, const Integer& b, int exponent = 0);
int exponent_of(const Integer& a, const Integer& b, int exponent); // of that double, or one off; a is not zero
// The doubles next to the root of a / b from below and from above; the largest double is below every root beyond it.
double root_below(const Scaled& a, const Integer& b);
double root_above(const Scaled& a, const Integer& b);
std::string fraction(const Scaled& a, const Integer& b); // "1/4"; empty if it is long

} // namespace recta::separation
