// A linear model that learns from rows as they arrive, one step per row: w <- w - eta(t) (loss'(y, z) x + lambda2 w),
// then every weight is brought nearer to zero by eta lambda1, and by what earlier steps since begin() owed it when it
// was zero already: weights that the rows do not speak for stay exactly zero. What was learned is a point, not an
// optimum: there is no certificate here; fit("adaline", ...) gives one.
#pragma once

#include <recta/estimator.hpp>

#include <memory>

namespace recta {

struct OnlineOptions {
  // A smooth one of losses(); or, by subgradients, hinge, squared-hinge, modified-huber, perceptron of -1 and 1, and
  // epsilon-insensitive, squared-epsilon-insensitive of numbers.
  std::string loss = "squared";
  double epsilon = 0.1; // within so much of the target the insensitive ones are zero; there huber bends
  double rate = 0.01;
  std::string schedule = "constant"; // or "1/t": rate / (t + 1)^power, or "c/(c+t)"; t counts rows presented
  double c = 1000, power = 1;
  double lambda1 = 0, lambda2 = 0;
  bool intercept = true;
  bool average = false; // Polyak and Ruppert: the mean of the points after `average_from` rows
  Index average_from = 0;
};

struct OnlinePoint {
  std::vector<double> weights{}, mean_weights{}; // empty: zeros
  double intercept = 0, mean_intercept = 0;
  Index presented = 0; // rows so far: the clock
  Index averaged = 0;  // points in the mean
};

// One that did not come from begin(), or was moved from, refuses to learn.
class Online {
public:
  Online() = default;
  Online(const Online& other); // what one of them learns the other does not
  Online& operator=(const Online& other);
  Online(Online&&) noexcept = default;
  Online& operator=(Online&&) noexcept = default;
  ~Online() = default;

  static Result<Online> begin(Index cols, const OnlineOptions& options = {}, const OnlinePoint& from = {});

  // Presents every row once, in their order or shuffled by (seed, pass), and gives the sum of the losses met on the
  // way. A row of whole weight k is presented k times, one of weight 0 never; other weights scale their row's step. An
  // error of the data leaves what was learned as it was; one that it diverged does not.
  Result<double> learn(const Arrays& rows);
  Result<double> learn_shuffled(const Arrays& rows, std::uint64_t seed, Index pass);
  void set_rate(double rate);

  OnlinePoint point() const;

  struct State;

private:
  explicit Online(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

} // namespace recta
