// The parameters of a model word, checked once against their descriptions.
#pragma once

#include <recta/params.hpp>

namespace recta {

Result<const ModelInfo*> find_model(const std::string& word);

// Every name known, every value in range; what was not given has its default.
Result<Params> checked_params(const ModelInfo& model, const Params& given);

double number(const Params& params, const std::string& name); // NaN: not given
std::string word(const Params& params, const std::string& name);
bool flag(const Params& params, const std::string& name);

} // namespace recta
