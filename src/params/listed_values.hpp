// Parameters that are lists in the user's words: VALUE for all, NAME=VALUE,... for some, VALUE/VALUE/... for all in
// order; the first and the second may stand together, as in "gaussian,age=categorical".
#pragma once

#include <recta/model.hpp>

#include <optional>

namespace recta {

struct ListedValues {
  std::string all{};                                        // for those that are not named; empty: none was given
  std::vector<std::string> in_order{};                      // one for each; empty: none was given
  std::vector<std::pair<std::string, std::string>> named{}; // in the order of the text
};
ListedValues listed_values(const std::string& text);

std::optional<double> read_double(const std::string& text); // finite, and nothing else in the text
// An error unless as many values were given in order as are wanted. `where`: the model and the parameter.
Result<void> check_length(const std::string& where, std::size_t given, std::size_t wanted);

// The probabilities of the classes by the parameter `priors` of a model word: learned, uniform, LABEL=P,... or P/P/...
// `weight`: of their rows.
Result<std::vector<double>> priors(const std::string& model, const Params& params, const Classes& classes,
                                   const std::vector<double>& weight);

} // namespace recta
