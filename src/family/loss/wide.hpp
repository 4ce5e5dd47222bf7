// Logistic regression without p x p sums: for rows that are sparse, or wider than any p x p matrix.
#pragma once

#include "driver/first_pass.hpp"
#include "solver/choose.hpp"
#include "solver/newton/proximal.hpp"

namespace recta {

// Which way, and why; nothing: p x p sums are the better one, or the only one there is.
std::optional<Choice> wide_route(const LossObjective& objective, const LossFacts& facts, const Rows& rows);
// Whether the route is that of sparse rows with few columns under a penalty on absolute values: by
// solve_by_stored_products().
bool by_stored_products(const LossObjective& objective, const LossFacts& facts, const Rows& rows);
// Whether a model that is checked again was fitted by such a route.
bool was_wide(const Model& model);

Result<void> check_width(const std::string& word, const Params& params, const Rows& rows);

// lambda1_max is NaN without a penalty on absolute values.
Result<ProximalSolution> solve_wide(const Choice& route, const NewtonProblem& problem, const Rows& rows, Pool& pool,
                                    const Watch& watch);

} // namespace recta
