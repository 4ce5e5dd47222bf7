// recta compare: is the larger of two nested models worth it?
#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"

namespace recta::cli {

namespace {

Result<int> run_compare(const Arguments& arguments) {
  const Voice voice(arguments);
  Result<Model> small = load_model(arguments.word(0), voice);
  if (!small) return std::unexpected(small.error());
  Result<Model> large = load_model(arguments.word(1), voice);
  if (!large) return std::unexpected(large.error());
  Result<Comparison> comparison;
  if (arguments.word(2).empty()) {
    comparison = compare(*small, *large);
  } else {
    Result<Dataset> data = read_data_for(*large, Use::all, arguments.word(2), arguments, voice);
    if (!data) return std::unexpected(data.error());
    comparison = compare(*small, *large, *data);
  }
  if (!comparison) return std::unexpected(comparison.error());
  return show(report::document_of(*comparison, arguments.word(0), arguments.word(1)), voice);
}

} // namespace

CommandInfo compare_command() {
  return {
      .name = "compare",
      .summary = "test whether a larger model is worth its features",
      .examples = {{"recta compare few.recta many.recta", "F and likelihood-ratio tests, AIC, BIC, Cp"},
                   {"recta compare few.recta many.recta train.csv", "and check that both were fitted to these rows"}},
      .words = {{"SMALL", WordKind::model_file}, {"LARGE", WordKind::model_file}, {"DATA", WordKind::data, false}},
      .groups = {output_flags(), reading_flags()},
      .notes =
          "Both must be least-squares fits of the same rows, and LARGE must have every feature of SMALL. With DATA\n"
          "their fingerprints are compared with the rows; without it, only numbers of rows and sums of weights.",
      .run = run_compare};
}

} // namespace recta::cli
