// recta neighbours: the training rows nearest to each row of data, for models that remember them.
#include "flags.hpp"
#include "input.hpp"
#include "labels.hpp"
#include "output.hpp"
#include "rows.hpp"

#include <recta/neighbours.hpp>

#include <fmt/format.h>

namespace recta::cli {
namespace {

std::string neighbours_csv(const NeighbourList& neighbours) {
  std::string text = "row,neighbour,training_row,distance\n";
  for (std::size_t q = 0; q + 1 < neighbours.start.size(); ++q)
    for (Index i = neighbours.start[q]; i < neighbours.start[q + 1]; ++i)
      text += fmt::format("{},{},{},{}\n", q + 1, i - neighbours.start[q] + 1,
                          neighbours.row[static_cast<std::size_t>(i)] + 1,
                          shortest(neighbours.distance[static_cast<std::size_t>(i)]));
  return text;
}

std::string neighbours_json(const Model& model, const Dataset& data, const NeighbourList& neighbours) {
  report::Value::List queries;
  for (std::size_t q = 0; q + 1 < neighbours.start.size(); ++q) {
    report::Value::List rows;
    std::vector<double> distances;
    for (auto i = static_cast<std::size_t>(neighbours.start[q]); i < static_cast<std::size_t>(neighbours.start[q + 1]);
         ++i) {
      rows.emplace_back(neighbours.row[i] + 1);
      distances.push_back(neighbours.distance[i]);
    }
    queries.emplace_back(report::Group{{"training_rows", std::move(rows)}, {"distances", std::move(distances)}});
  }
  return report::to_json({{"schema", "recta/neighbours/1"},
                          {"model", model.word},
                          {"source", data.source},
                          {"rows", data.rows},
                          {"neighbours", std::move(queries)}});
}

Result<int> run_neighbours(const Arguments& arguments) {
  const Voice voice(arguments);
  if (arguments.has("k") && arguments.has("radius"))
    return fail(ErrorCode::usage, "--k --radius", "they exclude one another", "give one of them");
  if (Result<void> good = spare(arguments.text("output"), arguments.words); !good) return std::unexpected(good.error());
  Result<Model> model = load_model(arguments.word(0), voice);
  if (!model) return std::unexpected(model.error());
  Result<Dataset> data = read_data_for(*model, Use::features, arguments.word(1), arguments, voice);
  if (!data) return std::unexpected(data.error());
  NeighbourQuery query{.k = arguments.number("k", 5)};
  if (arguments.has("radius")) query = {.k = 0, .radius = arguments.number("radius", 0)};
  const Result<NeighbourList> neighbours =
      nearest_rows(*model, *data, query, static_cast<int>(arguments.count("threads", 0)));
  if (!neighbours) return std::unexpected(neighbours.error());
  Result<Output> out = Output::open(arguments.text("output"));
  if (!out) return std::unexpected(out.error());
  *out << (voice.json ? neighbours_json(*model, *data, *neighbours) : neighbours_csv(*neighbours));
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return 0;
}

} // namespace

CommandInfo neighbours_command() {
  FlagGroup output = output_flags();
  output.flags.insert(
      output.flags.begin(),
      {{.name = "output", .kind = FlagKind::file, .value = "FILE", .summary = "write there", .letter = 'o'},
       {.name = "k",
        .kind = FlagKind::count,
        .value = "K",
        .summary = "number of neighbours per row",
        .lowest = 1,
        .highest = 1e9,
        .initial = "5"},
       {.name = "radius",
        .kind = FlagKind::number,
        .value = "R",
        .summary = "all training rows within this distance",
        .lowest = 0,
        .highest = 1e300}});
  return {
      .name = "neighbours",
      .summary = "the training rows nearest to each row, of a model that remembers them",
      .examples = {{"recta neighbours m.recta new.csv --k 3", "row, place, training row and distance as CSV"},
                   {"recta neighbours m.recta new.csv --radius 0.5", "all within a distance"}},
      .words = {{"FILE", WordKind::model_file}, {"DATA", WordKind::data}},
      .groups = {output, {"Working", {threads_flag()}}, reading_flags()},
      .notes =
          "Rows are counted from 1. Neighbours at equal distances are in the order of their labels or targets, then\n"
          "of their row numbers.",
      .run = run_neighbours};
}

} // namespace recta::cli
