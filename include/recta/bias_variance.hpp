// Bias and variance over a parameter: what a model gets wrong whatever its rows, and what depends on the rows it
// happened to be given.
//
// B bootstrap samples are fitted; each row is judged by the fits that did not see it, f_b. For numbers, exactly,
//   mean_b (y - f_b)^2 = (y - mean f)^2 + mean_b (f_b - mean f)^2,
// where the first term holds bias^2 and noise together: without several y of the same x they cannot be told apart. For
// classes (Domingos 2000) the main prediction of a row is the class that most fits give it; its bias is whether that is
// wrong and its variance the share of fits that say something else. Of two classes the error rate is exactly the mean
// of the bias, plus the variance where the row is unbiased, less that where it is biased; of more there is no such sum.
#pragma once

#include <recta/cross_validate.hpp>

namespace recta {

struct BiasVarianceOptions {
  std::optional<GridAxis> over{}; // a parameter and its values; none: the model as it is
  Index samples = 50;             // of a bootstrap, at least two
  std::uint64_t seed = 0;
};

struct BiasVariancePoint {
  Params params{};
  double error = 0, bias = 0, variance = 0; // means over the rows; the bias of numbers is its square with the noise
  double net_variance = 0; // that adds to the error: of two classes unbiased less biased; NaN of more classes
  Index rows = 0;          // judged by two fits or more
  std::string failure{};   // why there is no such point; empty: there is
};

struct BiasVariance {
  std::string word, target, parameter{};
  std::string measure = "squared error"; // of classes "error rate"
  Index rows = 0, samples = 0, classes = 0;
  std::vector<BiasVariancePoint> points{};
};

Result<BiasVariance> bias_variance(const std::string& word, const Dataset& data, const FitOptions& options = {},
                                   const BiasVarianceOptions& how = {}, const Watch& watch = {});
// Error, bias and variance against the parameter, which has several numbers.
Result<plot::Picture> bias_variance_picture(const BiasVariance& curve);

} // namespace recta
