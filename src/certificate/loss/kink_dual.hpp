// The dual variables of rows at the kinks of a loss of straight lines: numbers between the two slopes with which the
// constraints of kinked.hpp are met, as nearly as doubles can.
#pragma once

#include "certificate/elastic_net/facts.hpp"
#include "certificate/loss/bounded.hpp"
#include "certificate/loss/certify.hpp"
#include "certificate/loss/geometry.hpp"
#include "certificate/loss/kink_sums.hpp"

namespace recta {

// Sums over the rows, with the dual variables d of those near a kink.
struct KinkLeft {
  DoubleDouble intercept = 0.0;           // sum v d
  std::vector<DoubleDouble> columns = {}; // sum v d (x_j - m_j)
  std::vector<double> error = {};         // of rounding in these
  std::vector<double> size = {};          // sum v |d (x_j - m_j)|, at most
  DoubleDouble squares = 0.0;             // sum v d^2, if a row has one piece
  double sum_abs = 0;
};

// How the conditions of columns weigh beside one another.
enum class Weighing : std::uint8_t { by_length, by_cost };

class KinkDual {
public:
  // `basis_error`: SeenRows::error times the root of sum v d^2; empty: the rows are in no basis.
  KinkDual(const LossClaimed& claimed, const std::vector<Term>& terms, const Geometry& geometry,
           std::vector<double> basis_error)
      : claimed_(claimed), facts_(*claimed.facts), terms_(terms), geometry_(geometry),
        basis_error_(std::move(basis_error)) {}

  KinkLeft left(const KinkSums& sums, const std::vector<double>& d) const;

  // The sum that column j should have, divided by the total weight: P_j'(w_j), or the number nearest to g that is one.
  double target(std::size_t j, double g, double near) const;

  // How much is free to be chosen for kinks within `near`: what is free for a smaller one is free here, too.
  std::size_t free_count(const KinkSums& sums, double near) const;
  // d of the rows that were kept, for kinks within `near`; none if they are too many.
  std::vector<double> chosen(const KinkSums& sums, double near, Weighing weighing) const;

private:
  // The free choices: rows at a kink, by their place among those kept, and columns at zero under a penalty on
  // absolute values, whose slope is x times it. `d`: of all rows kept, before anything is chosen.
  struct FreeRows {
    std::vector<double> d;
    std::vector<std::size_t> rows, columns;
  };
  struct Conditions {
    std::vector<double> unit;
    std::vector<std::size_t> columns;
    double intercept = 0; // its unit; 0: there is none
    BoundedSystem system;
  };

  bool open(std::size_t j, double near) const;
  FreeRows free_rows(const KinkSums& sums, double near) const;
  Conditions conditions(const KinkSums& sums, const FreeRows& free, Weighing weighing) const;
  std::vector<double> lacking(const Conditions& conditions, const KinkLeft& now, const FreeRows& free,
                              const std::vector<double>& x, double near) const;
  bool exact(std::size_t j) const { return !geometry_.unit().empty() && geometry_.unit()[j] > 0; }
  std::vector<double> units(Weighing weighing) const;

  const LossClaimed& claimed_;
  const LossFacts& facts_;
  const std::vector<Term>& terms_;
  const Geometry& geometry_;
  std::vector<double> basis_error_;
};

} // namespace recta
