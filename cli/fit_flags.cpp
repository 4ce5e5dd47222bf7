#include "fit_flags.hpp"

#include "flags.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::cli {

namespace {

const std::vector<std::string> kErrors = {"classical", "hc0", "hc1", "hc2", "hc3"};

Result<void> condition_range(const std::string& text, FitOptions& options) {
  const std::size_t colon = text.find(':');
  const bool read = colon != std::string::npos && parse_number(text.substr(0, colon), options.condition_low) &&
                    parse_number(text.substr(colon + 1), options.condition_high);
  if (read && options.condition_low >= 1 && options.condition_high > options.condition_low) return {};
  return fail(ErrorCode::usage, "--condition", fmt::format("\"{}\" is no range", text),
              "give LOW:HIGH with 1 <= LOW < HIGH, as 10:1000");
}

} // namespace

const char* errors_name(StandardErrors errors) {
  const char* names[] = {"classical", "hc0", "hc1", "hc2", "hc3", "cluster"};
  return names[static_cast<int>(errors)];
}

FlagGroup diagnosis_flags() {
  return {
      "Errors and dependent columns",
      {{.name = "errors",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary = "linear: standard errors of equal variances, or with a variance of its own for each row",
        .choices = kErrors,
        .initial = "classical"},
       {.name = "cluster",
        .kind = FlagKind::columns,
        .value = "COL",
        .summary = "linear: rows with the same value here depend on one another; standard errors by cluster"},
       {.name = "intervals", .summary = "keep what predict --interval needs; always kept up to 100 features"},
       {.name = "max-vif",
        .kind = FlagKind::number,
        .value = "NUMBER",
        .summary = "leave out columns until no variance inflation is above; 10 is usual",
        .lowest = 1},
       {.name = "components",
        .kind = FlagKind::number,
        .value = "NUMBER",
        .summary = "principal components in the place of the columns of numbers: so many, or below 1 as many as carry "
                   "this share of the variance; 0.99 is usual",
        .lowest = 0},
       {.name = "condition",
        .kind = FlagKind::text,
        .value = "LOW:HIGH",
        .summary = "ridge: the least penalty that brings the condition number of X'X in here"}}};
}

Result<void> diagnosis_options(const Arguments& arguments, FitOptions& options) {
  const auto at = std::find(kErrors.begin(), kErrors.end(), arguments.text("errors", kErrors[0]));
  options.errors = static_cast<StandardErrors>(at - kErrors.begin());
  options.cluster = arguments.text("cluster");
  options.intervals = arguments.has("intervals");
  options.max_inflation = arguments.number("max-vif", 0);
  options.components = arguments.number("components", 0);
  return arguments.has("condition") ? condition_range(arguments.text("condition"), options) : Result<void>{};
}

} // namespace recta::cli
