// What one pass over the rows tells of linear machines at one point each: sums that merge, so that the rows may stand
// anywhere (stats/reduce.hpp), and nothing that stays with a row.
//
// u = x - centre and a constant 1 are the numbers of a row, t = -1 or 1 its side, v its weight, and its lack is
// l = 1 - t (<w, u> + b). The loss is smoothed over a width m:
//
//   phi(l) = 0 below 0, l^2 / (2 m) up to m (the zone), l - m/2 beyond,   d = phi'(l) = l / m between 0 and 1.
//
// The squared hinge is l^2 / 2 above 0, smooth as it is: m = 1, d = l, and all of l > 0 is the zone. C d v t is the
// coefficient of the row in a dual point.
#pragma once

#include "objective/svm/objective.hpp"
#include "objective/svm/sides.hpp"
#include "stats/accumulator.hpp"
#include "stats/present_block.hpp"

#include <array>
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

struct MarginSums {
  static constexpr std::array<double, 7> kShares{0, 0x1p-1, 0x1p-2, 0x1p-3, 0x1p-5, 0x1p-8, 0x1p-12}; // of the way
  static constexpr int kBins = 128, kBinsPerFactor = 2, kLowest = -100; // of |l|, by half powers of two
  using Pair = std::array<double, 2>;                                   // of the sides -1 and 1

  Index size = 0;                                                            // p + 1
  double loss = 0, smooth = 0, excess = 0, outside_weight = 0, heaviest = 0; // excess: sum v FY(l, d)
  Pair weight{}, mass{}, side_loss{}, zone_mass{}, zone_loss{};              // mass: sum v d
  std::array<double, kShares.size()> loss_on_way{}, smooth_on_way{};
  std::vector<double> pull[2];  // sum v d t u, by side
  std::vector<double> zone[2];  // the same over the zone
  std::vector<double> products; // sum v u u' over the zone, lower triangle
  std::vector<double> beyond;   // sum v t u over rows with l > band
  std::vector<double> outside;  // sum v u u' over rows with band < |l| <= 2 band
  std::vector<double> bins;     // rows by the size of |l|
  std::vector<double> short_of; // the same of rows with l > 0
  Index held_count = 0;         // rows within the band
  bool too_many = false;        // of different ones to be held
  std::vector<double> held;     // t, u and v, in ascending order; equal rows are one, with the sum of their weights

  MarginSums() = default;
  MarginSums(Index p, bool band);
  void join_equal_rows(Index most); // among the held
  double rows() const;
  bool holds_all() const { return !too_many && static_cast<double>(held_count) == rows(); }
  bool has_band() const { return !too_many; }
  double band_of(double count) const;      // the widest, by the bins, with at most so many rows; 0: none
  double short_within(double width) const; // rows with 0 < l < width, by the bins
  double width_of(double count) const;     // the least, by the bins, with so many rows 0 < l < width; infinite: none
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
