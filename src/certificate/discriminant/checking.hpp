// A claim about Gaussian classes beside what the rows give, equation by equation.
#pragma once

#include "certificate/discriminant/rescatter.hpp"

namespace recta::discriminant {

struct Findings {
  explicit Findings(double tolerance_asked) : tolerance(tolerance_asked) {}

  double tolerance;
  double residual = 0; // the largest
  std::vector<std::string> wrong{};

  // `rounding`: what doubles cannot do better, of this residual alone.
  void look(double deviation, double rounding = 0);
  bool near() const { return wrong.empty() && !beyond_; }
  double slack() const { return largest_rounding_; }

private:
  double largest_rounding_ = 0;
  bool beyond_ = false;
};

// Directions in which the classes vary, in units of the columns' deviations.
struct KeptSpace {
  bool whole = true;              // all; then the following two are empty
  std::vector<double> directions; // columns x rank by column, orthonormal
  std::vector<double> variance;   // of each
  double inverse = 1;             // a bound on 1 / the least of them
  double turned = 0;              // how far rounding can turn the space
};

// |L^-1|^2 of R = LL', which bounds the inverse of its least eigenvalue; infinite if R is not positive definite.
double inverse_squares(std::vector<double> r, Index p);

class Checking {
public:
  Checking(const Rescatter& again, Index block_rows, double tolerance);

  Findings run();
  // -1/W log-likelihood of rows and classes together; and the same for one Gaussian that knows no classes, with the
  // shares of the classes. After run().
  double objective() const;
  double null_objective() const;

private:
  void weights();
  void means();
  void deviations();
  void shares();
  void matrices();

  // lda
  void linear();
  KeptSpace kept_space(const double* s, const std::vector<double>& scale);
  void equation(std::size_t k, const double* s);
  void intercept(std::size_t k);
  void stays_inside(const double* w);
  void directions(const double* s);
  void direction(std::size_t c, const std::vector<double>& error, std::vector<std::vector<double>>& before);
  void sign(std::size_t c, const double* s);
  void all_directions(double loss);
  std::vector<double> along(std::size_t c) const; // d_c'(m_k - m) of each class

  // qda
  void quadratic();
  bool counting_columns(); // fills columns_; false: the factors themselves do not agree on them
  void dependent_columns(const std::vector<double>& all);
  void widened(std::size_t k);
  void factor(std::size_t k);

  const double* matrix(std::size_t k) const {
    return expected_.matrices.data() + (claim_.shape.quadratic ? k : 0) * numbers_;
  }
  const double* mean(std::size_t k) const { return claim_.mean.data() + k * static_cast<std::size_t>(p_); }
  std::vector<double> scales(const double* s) const;
  // What rounding the mean of each column to a double costs, in units of the columns: of one class, or of all of them.
  std::vector<double> mean_roundings(std::size_t k, const std::vector<double>& scale) const;
  std::vector<double> mean_roundings(const std::vector<double>& scale) const;
  std::vector<double> centre() const;
  std::vector<double> inside(std::vector<double> x) const; // in coordinates of the kept space
  std::vector<double> scatter() const;                     // of all rows about the means of their classes
  std::vector<double> spread_of_all() const;               // of all rows about their mean
  std::vector<double> in_use(const double* s) const;       // the part of a matrix that the likelihood is about
  double rounding() const { return 4 * static_cast<double>(p_ + 8) * 0x1p-53; }

  const Rescatter& again_;
  const GaussianClaim& claim_;
  Index p_;
  std::size_t numbers_;
  Sums sums_;
  Covariances expected_;
  std::vector<double> plain_; // qda: the same before classes are widened, if some are
  std::vector<double> least_, scale_, middle_;
  KeptSpace kept_;
  std::vector<Index> columns_; // qda: those that count
  double counting_;
  double rounded_ = 0; // lda: of the equations of the weights, the largest
  Findings findings_;
};

} // namespace recta::discriminant
