// Small random regressions for the 80-digit oracle: perfect fits, noise, columns far out, in odd units or repeated,
// weights, offsets, penalties. The same seed makes the same problem.
#pragma once

#include <recta/recta.hpp>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace recta::testing {

struct Problem {
  std::string word;
  Index n = 0, p = 0, classes = 0;          // classes: of softmax
  std::vector<double> x, y, weight, offset; // x by row; weight and offset may be empty
  double parameter = 0;                     // of the loss, where it has one
  bool fitted_scale = false;                // huber
  double lambda1 = 0, lambda2 = 0, tolerance = 1e-10;
  bool intercept = true, standardise = false;

  Result<Model> fit() const {
    Arrays rows{.dense = MatrixView::row_major(x.data(), n, p), .y = MatrixView::vector(y.data(), n)};
    if (!weight.empty()) rows.weights = weight.data();
    if (!offset.empty()) rows.offset = offset.data();
    FitOptions options{.intercept = intercept, .standardise = standardise, .tolerance = tolerance, .threads = 1};
    if (lambda1 > 0) options.params["lambda1"] = lambda1;
    const bool has_default = word == "logistic" || word == "softmax"; // for more columns than rows
    if (lambda2 > 0 || (has_default && lambda1 == 0)) options.params["lambda2"] = lambda2;
    if (word == "quantile") options.params["quantile"] = parameter;
    if (word == "epsilon-insensitive") options.params["epsilon"] = parameter;
    if (word == "huber") options.params[fitted_scale ? "epsilon" : "delta"] = parameter;
    return recta::fit(word, rows, options);
  }
};

class RandomProblem {
public:
  RandomProblem(const std::string& word, std::uint64_t seed) : random_(seed) { problem_.word = word; }

  Problem make() {
    Problem& t = problem_;
    t.p = 1 + below(3);
    t.n = chance(0.1) ? 1 + below(3) : t.p + 2 + below(10);
    t.intercept = !chance(0.15);
    if (t.word == "softmax") t.classes = 3, t.n += 3;
    draw_columns();
    draw_penalties();
    if (chance(0.25))
      for (Index i = 0; i < t.n; ++i) t.weight.push_back(chance(0.3) ? 1 + below(3) : std::exp(normal()));
    if (t.word != "softmax" && t.word != "logistic" && chance(0.25))
      for (Index i = 0; i < t.n; ++i) t.offset.push_back(normal());
    draw_parameter();
    draw_targets();
    if (chance(0.2)) t.tolerance = chance(0.5) ? 1e-14 : 1e-4;
    return t;
  }

private:
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  Index below(Index count) { return static_cast<Index>(random_() % static_cast<std::uint64_t>(count)); }
  bool chance(double share) { return uniform() < share; }
  double normal() { // Box and Muller: the same numbers with every standard library
    return std::sqrt(-2 * std::log1p(-uniform())) * std::cos(6.283185307179586 * uniform());
  }
  double power(double least, double largest) { return std::pow(10, least + (largest - least) * uniform()); }

  void draw_columns() {
    Problem& t = problem_;
    t.x.resize(static_cast<std::size_t>(t.n * t.p));
    for (Index j = 0; j < t.p; ++j) {
      const Index kind = below(5);
      const double unit = kind == 3 ? power(-3, 5) : 1, centre = kind == 2 ? 1e3 : 0;
      const bool repeated = j > 0 && chance(0.05);
      for (Index i = 0; i < t.n; ++i)
        t.x[i * t.p + j] = repeated ? t.x[i * t.p] : kind == 0 ? below(7) - 3 : unit * (centre + normal());
    }
  }

  void draw_penalties() {
    Problem& t = problem_;
    const bool classes = t.word == "softmax" || t.word == "logistic";
    if (chance(classes ? 0.7 : 0.4)) t.lambda2 = power(-6, 0);
    const bool absolute = classes || t.word == "quantile" || t.word == "epsilon-insensitive";
    if (absolute && chance(0.3)) t.lambda1 = power(-5, -1);
    if (absolute && chance(0.15)) t.lambda2 = 0;
    t.standardise = t.intercept && (t.lambda1 > 0 || t.lambda2 > 0) && chance(0.2);
  }

  void draw_parameter() {
    Problem& t = problem_;
    if (t.word == "quantile") t.parameter = chance(0.4) ? 0.5 : 0.05 + 0.9 * uniform();
    if (t.word == "epsilon-insensitive") t.parameter = chance(0.2) ? 0 : power(-3, 0);
    if (t.word == "huber") {
      t.fitted_scale = chance(0.4);
      t.parameter = t.fitted_scale ? 1 + uniform() : power(-3, 1);
    }
  }

  // A target that lies on the surface to rounding, is the same everywhere, or has noise.
  void draw_targets() {
    Problem& t = problem_;
    const bool log_link = t.word == "poisson" || t.word == "gamma";
    const Index kind = below(4);
    const double noise = kind == 0 ? 0 : kind == 1 ? power(-12, -3) : 1;
    const double same = chance(0.15) ? (log_link ? 1 + below(9) : normal()) : std::nan("");
    std::vector<double> w;
    for (Index j = 0; j < t.p; ++j) w.push_back(normal() / (1 + std::abs(t.x[j])));
    for (Index i = 0; i < t.n; ++i) {
      double z = 0.5 + (t.offset.empty() ? 0 : t.offset[i]) + noise * normal();
      for (Index j = 0; j < t.p; ++j) z += w[j] * t.x[i * t.p + j];
      t.y.push_back(!std::isnan(same) ? same : target(z, i));
    }
  }

  double target(double z, Index i) {
    const Problem& t = problem_;
    if (t.word == "softmax") return static_cast<double>(i < 3 ? i : below(3));
    if (t.word == "logistic") return i < 2 ? static_cast<double>(i) : (z + normal() > 0.5 ? 1 : 0);
    if (t.word == "gamma") return std::exp(std::clamp(z, -20.0, 20.0));
    if (t.word != "poisson") return z;
    const double mean = std::exp(std::clamp(z, -20.0, 7.0));
    return chance(0.3) ? mean : std::floor(mean);
  }

  std::mt19937_64 random_;
  Problem problem_;
};

} // namespace recta::testing
