// What the words of this family can be asked for, from parameters and back from a model file.
#pragma once

#include "model_file/field_reader.hpp"
#include "solver/neighbours/search.hpp"

#include <recta/params.hpp>

namespace recta::neighbours {

enum class Vote : std::uint8_t { uniform, distance };
// A query without a neighbour inside the radius: an error, the answer of all rows together, or none.
enum class Outside : std::uint8_t { refuse, prior, missing };

struct Settings {
  Metric metric;
  double k = 5;              // places
  double radius = kInfinity; // finite: all rows within it vote, and k is zero
  Vote vote = Vote::uniform;
  Outside outside = Outside::refuse;
  double laplace = 0;   // added to the votes of every class before shares are taken
  GraphOptions graph{}; // of the index hnsw
  bool operator==(const Settings&) const = default;
};

std::vector<ParamInfo> parameters(bool classes);
// The parameters together make sense.
Result<void> check_settings(const ModelInfo& info, const Params& given, const Params& params);
Settings settings_of(const Params& params);
// The weights of the features; empty: all one.
Result<std::vector<double>> feature_weights(const std::string& model, const Params& params,
                                            const std::vector<std::string>& features);
// The covariance of the metric, by row; empty: none is given.
Result<std::vector<double>> given_covariance(const std::string& model, const Params& params, Index cols);
std::string objective_of(const Settings& settings, bool classes);

void write_settings(TensorWriter& out, const Settings& settings);
Settings read_settings(FieldReader& in);
void write_graph_options(TensorWriter& out, const GraphOptions& graph);
GraphOptions read_graph_options(FieldReader& in);

std::string_view name(IndexWord word);
std::optional<IndexWord> index_word(std::string_view name);
IndexChoice index_of(const Params& params, const Metric& metric, Index rows, Index cols);

} // namespace recta::neighbours
