// recta transform: rows in the coordinates of a model, one output row per row of data, in order.
#include "flags.hpp"
#include "input.hpp"
#include "labels.hpp"
#include "output.hpp"
#include "rows.hpp"

#include <recta/explain.hpp>

#include <cmath>
#include <fmt/format.h>

namespace recta::cli {
namespace {

void transform_csv(const std::vector<std::string>& names, const Values& z, Output& out) {
  out << csv_heading(names);
  std::string line;
  for (std::size_t i = 0; i < z.size() && out.wanted(); i += names.size()) {
    line.clear();
    for (std::size_t c = 0; c < names.size(); ++c) {
      if (c > 0) line += ',';
      if (!std::isnan(z[i + c])) line += shortest(z[i + c]);
    }
    out << (line += '\n');
  }
}

std::string transform_json(const Model& model, const Dataset& data, const std::vector<std::string>& names,
                           const Values& z) {
  report::Group coordinates;
  for (std::size_t c = 0; c < names.size(); ++c) {
    std::vector<double> column;
    for (std::size_t i = c; i < z.size(); i += names.size()) column.push_back(z[i]);
    coordinates.add(names[c], std::move(column));
  }
  return report::to_json({{"schema", "recta/transform/1"},
                          {"model", model.word},
                          {"source", data.source},
                          {"rows", data.rows},
                          {"names", names},
                          {"coordinates", std::move(coordinates)}});
}

Result<int> run_transform(const Arguments& arguments) {
  const Voice voice(arguments);
  if (Result<void> good = spare(arguments.text("output"), arguments.words); !good) return std::unexpected(good.error());
  Result<Model> model = load_model(arguments.word(0), voice);
  if (!model) return std::unexpected(model.error());
  Result<Dataset> data = read_data_for(*model, Use::features, arguments.word(1), arguments, voice);
  if (!data) return std::unexpected(data.error());
  const Result<Values> z = transform(*model, *data, static_cast<int>(arguments.count("threads", 0)));
  if (!z) return std::unexpected(z.error());
  const std::vector<std::string> names = model->body->coordinates();
  Result<Output> out = Output::open(arguments.text("output"));
  if (!out) return std::unexpected(out.error());
  if (voice.json)
    *out << transform_json(*model, *data, names, *z);
  else
    transform_csv(names, *z, *out);
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return 0;
}

} // namespace

CommandInfo transform_command() {
  FlagGroup output = output_flags();
  output.flags.insert(
      output.flags.begin(),
      {.name = "output", .kind = FlagKind::file, .value = "FILE", .summary = "write there", .letter = 'o'});
  return {.name = "transform",
          .summary = "rows in the coordinates of a model, such as the directions that separate classes",
          .examples = {{"recta transform lda.recta new.csv -o new_lda.csv", "one row per row, in order"}},
          .words = {{"FILE", WordKind::model_file}, {"DATA", WordKind::data}},
          .groups = {output, {"Working", {threads_flag()}}, reading_flags()},
          .notes = "The header names the coordinates. A row that --missing drop leaves out has empty cells.",
          .run = run_transform};
}

} // namespace recta::cli
