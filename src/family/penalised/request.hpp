// The words of these models, and the loss and the penalty that their parameters ask for.
#pragma once

#include "loss/row_loss.hpp"
#include "penalty/penalty.hpp"

#include <recta/model.hpp>

namespace recta::penalised {

struct Terms {
  std::unique_ptr<const loss::RowLoss> loss;
  std::unique_ptr<const penalty::Penalty> penalty;
  std::string objective; // in mathematics
};

// `features`: their names, which parameters may give numbers by.
Result<Terms> terms_of(const std::string& model, const Params& params, const std::vector<std::string>& features,
                       bool intercept);

} // namespace recta::penalised
