// Options of fits that a grid can have beside the parameters of the model, described as those are.
#pragma once

#include <recta/options.hpp>

namespace recta::search {

struct OptionParam {
  ParamInfo info;
  const Option<FitOptions>* option;
  bool whole = false; // a whole number

  void set(FitOptions& options, const ParamValue& value) const; // that check_grid has let pass
};

const std::vector<OptionParam>& option_params();

// The parameter of this name: the model's own before an option; "degree" is poly unless the model has one. nullptr:
// there is none.
const ParamInfo* find_param(const ModelInfo& model, const std::string& name);
const OptionParam* find_option(const ModelInfo& model, const std::string& name); // nullptr: it is no option

} // namespace recta::search
