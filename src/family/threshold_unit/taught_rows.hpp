// The rows that a perceptron or a delta rule learns from: as they are, or standardised beside those.
#pragma once

#include "classes/against_rest.hpp"
#include "classes/two_classes.hpp"
#include "solver/gradient_descent/descent_loss.hpp"
#include "solver/gradient_descent/standardised_rows.hpp"
#include "summary/standard_units.hpp"

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

// The rows of every class against the rest, one unit for each; of two classes, a single unit.
class TaughtClasses {
public:
  // Schema and rows outlive it.
  static Result<std::unique_ptr<TaughtClasses>> make(const Schema& schema, const Rows& rows, bool standardised);

  Index units() const { return units_; }
  // Until another unit is asked for.
  Result<const TaughtRows*> unit(Index place, Pool& pool, const Watch& watch);

private:
  TaughtClasses(const Schema& schema, const Rows& rows, bool standardised);

  const Schema& schema_;
  const Rows& rows_;
  bool standardised_;
  Index units_;
  std::unique_ptr<HeldRows> held_{}; // if there are several units
  std::unique_ptr<AgainstRest> source_{};
  std::unique_ptr<TaughtRows> taught_{}; // of the unit `place_`
  Index place_ = -1;
};

} // namespace recta
