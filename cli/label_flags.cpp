#include "label_flags.hpp"

#include "flags.hpp"
#include "labels.hpp"

#include <fmt/format.h>

namespace recta::cli {
namespace {

// "random", "random:SEED", or labels in their order.
Result<void> chain_options(const Arguments& arguments, FitOptions& options) {
  options.chains = arguments.count("chains", 0);
  if (!arguments.has("chain")) return {};
  const std::string text = arguments.text("chain");
  if (text != "random" && !text.starts_with("random:")) {
    options.chain = arguments.list("chain");
    return {};
  }
  options.chains = std::max<Index>(options.chains, 1);
  double seed = 0;
  const std::string number = text == "random" ? "0" : text.substr(text.find(':') + 1);
  if (!parse_number(number, seed) || seed < 0 || seed != static_cast<double>(static_cast<std::uint64_t>(seed)))
    return fail(ErrorCode::usage, "--chain", fmt::format("\"{}\" is not a seed", number),
                "give a whole number from zero up, such as random:7");
  options.chain_seed = static_cast<std::uint64_t>(seed);
  return {};
}

// A number, LABEL=NUMBER,..., or held-out:SHARE.
Result<void> threshold_options(const Arguments& arguments, FitOptions& options) {
  if (!arguments.has("label-threshold")) return {};
  const std::string text = arguments.text("label-threshold");
  double number = 0;
  if (text == "held-out" || text.starts_with("held-out:")) {
    number = 0.25;
    if (text != "held-out" && (!parse_number(text.substr(text.find(':') + 1), number) || !(number > 0 && number < 1)))
      return fail(ErrorCode::usage, "--label-threshold", fmt::format("\"{}\" names no share of the rows", text),
                  "give one between 0 and 1, such as held-out:0.25");
    options.threshold_share = number;
    return {};
  }
  if (parse_number(text, number)) {
    options.label_thresholds = {{"", number}};
    return {};
  }
  Result<LabelNumbers> thresholds = label_numbers("label-threshold", text);
  if (!thresholds) return std::unexpected(thresholds.error());
  options.label_thresholds = *std::move(thresholds);
  return {};
}

} // namespace

FlagGroup label_flags() {
  return {"Rows with several labels",
          {{.name = "label-set",
            .kind = FlagKind::columns,
            .value = "COL",
            .summary = "the target: a column of cells such as a|b, each a set of labels, which may be empty"},
           {.name = "label-separator",
            .kind = FlagKind::text,
            .value = "TEXT",
            .summary = "between the labels of a cell",
            .initial = "|, or the comma of LIBSVM"},
           {.name = "label-columns",
            .kind = FlagKind::columns,
            .value = "COL,...",
            .summary = "the target: a column of 0 and 1 per label"},
           {.name = "label-names",
            .kind = FlagKind::file,
            .value = "FILE.xml",
            .summary = "likewise, for the columns that MULAN's XML beside an ARFF file names"},
           {.name = "chain",
            .kind = FlagKind::text,
            .value = "LABEL,...",
            .summary = "the model of a label also reads the labels before it, in this order; random or random:SEED "
                       "draws one",
            .initial = "every label by itself"},
           {.name = "chains",
            .kind = FlagKind::count,
            .value = "N",
            .summary = "number of chains in random orders, whose answers are averaged",
            .lowest = 1,
            .highest = 1000},
           {.name = "label-threshold",
            .kind = FlagKind::text,
            .value = "NUMBER",
            .summary = "least probability, or score if there is none, at which a row has a label; LABEL=NUMBER,... for "
                       "some; held-out:SHARE chooses those of the best F1 on rows set aside",
            .initial = "0.5, or the score 0"}}};
}

Result<void> label_options(const Arguments& arguments, FitOptions& options) {
  options.label_set = arguments.text("label-set");
  options.label_separator = arguments.text("label-separator");
  options.label_columns = arguments.list("label-columns");
  if (arguments.has("label-separator") && options.label_set.empty())
    return fail(ErrorCode::usage, "--label-separator", "there are no cells of labels without --label-set",
                "name their column with it");
  if (arguments.has("label-names")) {
    if (arguments.has("label-columns"))
      return fail(ErrorCode::usage, "--label-names --label-columns", "both name the columns of labels",
                  "give one of them");
    Result<std::vector<std::string>> names = read_label_names(arguments.text("label-names"));
    if (!names) return std::unexpected(names.error());
    options.label_columns = *std::move(names);
  }
  if (Result<void> good = chain_options(arguments, options); !good) return good;
  return threshold_options(arguments, options);
}

} // namespace recta::cli
