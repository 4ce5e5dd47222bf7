// What one pass over the rows tells of linear machines at one point each: sums that merge, so that the rows may stand
// anywhere (stats/reduce.hpp), and nothing that stays with a row.
//
// Beside the tally of margin_tally.hpp there are the products of all pairs of columns, and the rows near the margin.
#pragma once

#include "objective/svm/objective.hpp"
#include "objective/svm/sides.hpp"
#include "solver/svm/margin_tally.hpp"
#include "stats/accumulator.hpp"
#include "stats/present_block.hpp"

#include <memory>

namespace recta::svm {

struct PassPoint {
  Sides sides;
  std::vector<double> at;        // w, then b, about the centre
  std::vector<double> from = {}; // if given: the losses on the way from there are gathered too
  double width = 1;
  double band = 0; // rows with |l| up to this are held themselves, if there are not too many; 0: none
};

// Shared by all blocks of one pass.
struct MarginQuestion {
  Loss loss = Loss::hinge;
  bool constant = true; // the row has the constant 1; otherwise it is 0 there
  std::vector<double> centre;
  Index most_held = 0;
  std::vector<PassPoint> points; // one per machine; an empty `at`: this one is not looked at
};

struct MarginSums : MarginTally {
  Index size = 0; // p + 1
  double outside_weight = 0;
  std::vector<double> products; // sum v u u' over the zone, lower triangle
  std::vector<double> beyond;   // sum v t u over rows with l > band
  std::vector<double> outside;  // sum v u u' over rows with band < |l| <= 2 band
  Index held_count = 0;         // rows within the band
  bool too_many = false;        // of different ones to be held
  std::vector<double> held;     // t, u and v, in ascending order; equal rows are one, with the sum of their weights

  MarginSums() = default;
  MarginSums(Index p, bool band);
  void join_equal_rows(Index most); // among the held
  bool holds_all() const { return !too_many && static_cast<double>(held_count) == rows(); }
  bool has_band() const { return !too_many; }
};

struct ManyMargins {
  std::shared_ptr<const MarginQuestion> question;
  std::vector<MarginSums> machines;

  ManyMargins() = default;
  explicit ManyMargins(std::shared_ptr<const MarginQuestion> asked);

  struct Workspace {
    PresentBlock block;
    std::vector<double> u, z, z0, r[2], tile;
    std::vector<Index> zone, outside;
  };
  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const ManyMargins& other);
  std::string to_bytes() const;
  static Result<ManyMargins> from_bytes(std::string_view bytes); // without the question
  bool finite() const { return true; }                           // the rows were checked when they were first read
  bool same_kind(const ManyMargins& other) const;

private:
  void look(const PassPoint& point, MarginSums& sums, Workspace& room) const;
};

} // namespace recta::svm
