// The proof of centroids, in a fresh pass: a mean has sum v (x - c) = 0; a median has no more than half of the weight
// below it, and no more than half above. What shrinking makes of them is computed again.
#pragma once

#include "base/pool.hpp"
#include "objective/nearest_centroid/centroids.hpp"
#include "stats/accumulator.hpp"

#include <recta/certificate.hpp>
#include <recta/model.hpp>

namespace recta::nearest_centroid {

struct CentroidClaim {
  const Classes& classes;
  Index columns;
  bool medians;
  double threshold; // of shrinking; 0: none
  const std::vector<double>& weight;
  const std::vector<double>& centroid; // before shrinking, classes x columns
  const std::vector<double>& used;     // after it
  const Spread& spread;
};

class Recentre : public Saved<Recentre> {
public:
  Recentre() = default;
  explicit Recentre(const CentroidClaim& claim); // it outlives this

  void accumulate(const Batch& batch);
  void merge(const Recentre& other);
  bool finite() const { return true; } // the first pass has looked at every number
  static constexpr std::string_view kTag = "ncre", kName = "centroids";
  static void fields(auto& s, auto& io) { io.counted(s.weight_, s.sum_, s.error_, s.squares_, s.below_, s.above_); }

private:
  friend Certificate certify(const Recentre& again, Index block_rows, double tolerance);
  void add_row(const double* x, std::size_t k, double v);

  const CentroidClaim* claim_ = nullptr;
  std::vector<double> weight_;
  std::vector<double> sum_, error_, squares_; // of v (x - c), and of v (x - c)^2
  std::vector<double> below_, above_;         // weight of the rows on either side of c, of medians
};

// Claims KktResidual, in units of the columns' standard deviations inside the classes.
Certificate certify(const Recentre& again, Index block_rows, double tolerance);

} // namespace recta::nearest_centroid
