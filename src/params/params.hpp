// The parameters of a model word, checked once against their descriptions.
#pragma once

#include "base/numbers.hpp"

#include <recta/params.hpp>

namespace recta {

inline constexpr double kNotGiven = kNaN; // the default of a number without one
inline constexpr double kHuge = 1e300;    // the upper end of a range without one

inline std::unexpected<Error> refuse(const std::string& where, const std::string& what, const std::string& advice) {
  return fail(ErrorCode::usage, where, what, advice);
}

Result<const ModelInfo*> find_model(const std::string& word);

// Every name known, every value in range; parameters that were omitted have their default.
Result<Params> checked_params(const ModelInfo& model, const Params& given);

// Words are copied first and then moved into place: libstdc++ 12 takes these variants for ones that always hold a
// value, and destroys one whose word found no memory.
ParamValue copied(const ParamValue& value);
Params copied(const Params& params);

double number(const Params& params, const std::string& name); // NaN: not given
std::string word(const Params& params, const std::string& name);
bool flag(const Params& params, const std::string& name);

// The strength of a penalty on half the squares, beside the mean loss: lambda and lambda2 are that, tau is beside the
// sum. Returns the one that was given, or `otherwise` if none was.
Result<double> squares_strength(const std::string& model, const Params& params, double weight, double otherwise);

} // namespace recta
