// The parameters of a descent in the user's words, and what they mean to the solver.
#pragma once

#include "driver/first_pass.hpp"
#include "model_file/rules.hpp"
#include "solver/gradient_descent/descend.hpp"

namespace recta {

std::vector<ParamInfo> descent_params();
std::vector<FieldRule> descent_rules(); // parameters of the search, which is not claimed
// "zero", "random", or numbers with commas between them.
Result<void> read_start(const std::string& text, DescentSettings& settings);
// Options for trace(), with a solver that descends if none was named. An error if the model has none.
Result<FitOptions> traced_options(const std::string& word, const FitOptions& options);
bool descends(const Params& params);  // by one of the solvers that do
bool traceable(const Params& params); // or by newton, whose steps can be shown

// Parameters of descents are a mistake beside another solver; there they leave the list.
Result<void> keep_own_params(const ModelInfo& info, const Params& given, Params& params);

// `in_memory`: rows can be visited in any order. `tracing`: twenty steps if no end was given.
Result<DescentSettings> descent_settings(const Request& request, bool in_memory, bool tracing);

// A model without steps to trace.
std::unexpected<Error> not_a_descent(const std::string& word);

// Said of a descent that ended worse than it could have begun.
inline constexpr const char* kAboveNothing =
    "the cost is above that of no coefficients at all: a smaller rate, or a start at zero, does better";

// Whether there are steps to be traced, for one target.
Result<void> check_trace(const Request& request, const Rows& rows, Index every);
// The record that a descent left.
Trace trace_of(const Request& request, const Schema& schema, const std::string& objective, DescentOutcome outcome);

} // namespace recta
