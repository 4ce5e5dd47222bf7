#include "family/loss/usual_penalty.hpp"

#include "loss/model.hpp"
#include "params/params.hpp"
#include "solver/least_squares.hpp"
#include "summary/descent.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

bool says_nothing_of_it(const Request& request) {
  for (const char* name : {"lambda", "lambda1", "lambda2", "tau"})
    if (!std::isnan(number(request.params, name))) return false;
  return !flag(request.params, "firth") && !descends(request.params);
}

} // namespace

Request copy_of(const Request& request) {
  return {request.info, copied(request.params), request.options, request.notes};
}

bool take_usual_penalty(Request& request, Index cols, std::optional<Index> rows) {
  const loss::LossModel* const model = loss::loss_model(request.info->word);
  const bool likelihood = model ? model->log_odds : request.info->probabilities;
  if (!likelihood || !says_nothing_of_it(request)) return false;
  if (cols <= kGramCols && !(rows && cols > *rows)) return false;
  request.params["tau"] = 1.0;
  return true;
}

bool has_usual_penalty(const Request& request) {
  const auto tau = request.params.find("tau");
  return tau != request.params.end() && !std::isnan(std::get<double>(tau->second)) &&
         !request.options->params.contains("tau");
}

std::string usual_penalty_note(double weight, Index cols, Index rows) {
  return fmt::format("the penalty is the default for {} columns, which are more than {}: lambda = 1 / sum of weights = "
                     "{:.4g}; give another lambda, or 0 to know whether the classes can be separated",
                     cols, cols > rows ? fmt::format("the {} rows", rows) : "can be fitted without one", 1 / weight);
}

} // namespace recta
