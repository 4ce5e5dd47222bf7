// Sums of one pass over the rows for linear machines of many columns, at one point each, without the products of
// pairs of columns: a look (the tally of margin_tally.hpp, and the rows near the margin themselves if they are asked
// for), or the product of the Hessian of the smoothed loss with a direction,
//
//   sum over the zone of v u <u, along>.
#pragma once

#include "objective/svm/objective.hpp"
#include "objective/svm/sides.hpp"
#include "solver/svm/margin_rows.hpp"
#include "stats/accumulator.hpp"
#include "stats/present_block.hpp"

#include <memory>

namespace recta::svm {

struct ProductPoint {
  Sides sides;
  std::vector<double> at;         // w, then b, about the centre; empty: this machine is not looked at
  std::vector<double> from = {};  // if given: the losses on the way from there are gathered too
  std::vector<double> along = {}; // if given: the product with it is gathered, and nothing else
  double width = 1;
  double band = 0; // rows with |l| up to this are held themselves, if there are not too many; 0: none
};

// Shared by all blocks of one pass.
struct ProductQuestion {
  Loss loss = Loss::hinge;
  bool constant = true; // the row has the constant 1; otherwise it is 0 there
  std::vector<double> centre;
  Index most_held = 0; // numbers of the rows that are held
  std::vector<ProductPoint> points;
};

struct ProductSums : MarginTally {
  enum class Kind : std::uint8_t { nothing, look, band, product };

  Kind kind = Kind::nothing;
  Index size = 0;              // p + 1
  double numbers = 0;          // that the rows store
  std::vector<double> squares; // sum v u_j^2 over the zone
  std::vector<double> beyond;  // sum v t u over rows with l > band
  std::vector<double> product;
  bool too_many = false; // rows to be held
  MarginRows held;

  ProductSums() = default;
  ProductSums(Kind what, Index p);
};

struct MarginProducts {
  std::shared_ptr<const ProductQuestion> question;
  std::vector<ProductSums> machines;

  MarginProducts() = default;
  explicit MarginProducts(std::shared_ptr<const ProductQuestion> asked);

  struct Workspace {
    PresentBlock block, about; // about: dense rows about the centre
    std::vector<double> u, z, other;
  };
  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const MarginProducts& other);
  Index run_blocks() const { return usual_run(std::ssize(question->centre)); }
  std::string to_bytes() const;
  static Result<MarginProducts> from_bytes(std::string_view bytes); // without the question
  bool finite() const { return true; }                              // the rows were checked when they were first read
  bool same_kind(const MarginProducts& other) const;

private:
  void look(const ProductPoint& point, ProductSums& sums, const PresentBlock& x, Workspace& room) const;
  void multiply(const ProductPoint& point, ProductSums& sums, const PresentBlock& x, Workspace& room) const;
};

} // namespace recta::svm
