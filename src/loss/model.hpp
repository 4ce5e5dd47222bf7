// What makes a loss a model that can be fitted: `recta fit WORD`. A leaf says it in `Loss::model()`, and the family of
// such models (src/family/loss), their solvers, proofs and metrics take it from here.
#pragma once

#include <recta/params.hpp>

#include <optional>

namespace recta::loss {

// A piecewise linear loss is a sum of such pieces, max over low <= d <= high of d (y - z - shift).
struct Piece {
  double low = 0, high = 0, shift = 0;
};

struct LossModel {
  // A loss of residuals in units of a scale that is fitted too can do without it, at a parameter in units of the
  // target.
  struct Unscaled {
    ParamInfo parameter;
    std::string term, where;
  };

  std::string summary;                  // one line for lists
  std::string term;                     // the loss of row i, as objectives print it: "log(1 + exp(-y_i z_i))"
  std::string where{};                  // what the letters in it stand for: ",  r_i = y_i - z_i"
  std::string takes{};                  // the cure for a target without a loss: "gamma regression takes numbers ..."
  std::optional<ParamInfo> parameter{}; // if it has one
  std::optional<Unscaled> unscaled{};
  bool log_odds = false; // of labels: minus the log-likelihood, z being the log-odds of the positive one
  int place = 100;       // in lists, from simple to special

  // From the leaf itself.
  std::string word{};
  bool labels = false;
  double (*at_margin)(double margin) = nullptr; // of labels: the loss at y z
  bool log_link = false;                        // the mean is exp(z)
  bool bounded = false;                         // its curvature is
  Index pieces = 0;                             // straight lines it is made of; 0: it is curved

  bool fits_scale(const Params& params) const;
  double parameter_of(const Params& params) const; // the one that holds; 0 if there is none
};

const std::vector<LossModel>& loss_models();        // in order of their places
const LossModel* loss_model(std::string_view word); // nullptr: it is no model

} // namespace recta::loss
