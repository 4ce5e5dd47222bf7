// recta explain: why a model answers one row as it does.
#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"
#include "rows.hpp"

#include <recta/explain.hpp>

#include <fmt/format.h>

namespace recta::cli {
namespace {

Result<int> run_explain(const Arguments& arguments) {
  const Voice voice(arguments);
  const Index row = arguments.count("row", 1);
  Result<Model> model = load_model(arguments.word(0), voice);
  if (!model) return std::unexpected(model.error());
  Result<Dataset> data = read_data_for(*model, Use::features, arguments.word(1), arguments, voice);
  if (!data) return std::unexpected(data.error());
  const Result<Report> report = explain(*model, *data, row - 1);
  if (!report) return std::unexpected(report.error());
  report::Document out{{{"schema", "recta/explain/1"}, {"model", model->word}, {"source", data->source}, {"row", row}},
                       {}};
  report::Document why = report::document_of(*report);
  out.data.add(std::move(why.data));
  out.page = std::move(why.page);
  return show(out, voice);
}

} // namespace

CommandInfo explain_command() {
  return {.name = "explain",
          .summary = "why a model gives the answer it does for one row",
          .examples = {{"recta explain m.recta new.csv --row 17", "what each feature added, or which rows decided"}},
          .words = {{"FILE", WordKind::model_file}, {"DATA", WordKind::data}},
          .groups = {{"Row",
                      {{.name = "row",
                        .kind = FlagKind::count,
                        .value = "N",
                        .summary = "the row, counted from 1",
                        .lowest = 1,
                        .highest = 1e15,
                        .initial = "1"}}},
                     output_flags(),
                     reading_flags()},
          .notes = "Linear models, lda and nearest-centroid: what each feature adds to the scores. Naive Bayes: the\n"
                   "log-odds of each column. Nearest neighbours: the training rows that voted.",
          .run = run_explain};
}

} // namespace recta::cli
