// The rows that a perceptron or a delta rule learns from: as they are, or standardised beside those.
#pragma once

#include "family/standard_units.hpp"
#include "family/two_classes.hpp"
#include "solver/gradient_descent/descent_loss.hpp"
#include "solver/gradient_descent/standardised_rows.hpp"

namespace recta {

class TaughtRows {
public:
  static Result<std::unique_ptr<TaughtRows>> make(const Schema& schema, const Rows& rows, bool standardised, Pool& pool,
                                                  const Watch& watch);

  const TwoClasses& rows() const { return two_; }                                // in the units of the data
  const TwoClasses& for_learner() const { return scaled_ ? scaled_two_ : two_; } // standardised if the request says so
  void to_data(Point& point) const {
    if (scaled_) units_.to_data(point.w.data(), point.b);
  }
  Point from_data(Point point) const {
    if (scaled_) units_.from_data(point.w.data(), point.b);
    return point;
  }

private:
  TwoClasses two_{}, scaled_two_{};
  StandardUnits units_{};
  std::optional<StandardisedRows> scaled_{}; // looks at the units
};

} // namespace recta
