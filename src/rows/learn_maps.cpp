#include "rows/learn_maps.hpp"

#include "driver/first_pass.hpp"
#include "feature/map/leaf.hpp"
#include "model/score_rows.hpp"

#include <algorithm>

namespace recta {
namespace {

using feature::Call;

// The columns that a map reads, as features by themselves.
Schema plain_schema(const Schema& schema, const Call& call) {
  Schema out = schema;
  out.columns.clear();
  out.maps.clear();
  out.texts.clear();
  for (const std::string& name : call.columns) {
    out.columns.push_back(*std::ranges::find(schema.columns, name, &SchemaColumn::name));
    out.columns.back().plain = true;
    out.columns.back().indicator = false;
  }
  return out;
}

// The call of a map that learns from the rows.
Result<std::optional<Call>> learning_call(const FeatureMap& map) {
  auto call = feature::parse_call(map.text);
  if (call && *call && !feature::leaf_of(**call).learns()) call->reset();
  return call;
}

struct LearningMap {
  const Schema& plain; // of its columns
  const std::string& source;
  Pool& pool;
  Values* features = nullptr;
};

// The rows of a map, for its leaf.
Result<void> with_learning_rows(const LearningMap& map, const WithRows& with_rows,
                                const std::function<Result<void>(const feature::LearningRows&)>& use) {
  return with_rows(map.plain, [&](RowSource& rows) {
    const Places places = places_of(map.plain, map.source);
    const auto each_row = [&](Index numbers, const std::function<Result<void>(const Batch&, double*)>& score,
                              double* out) -> Result<void> {
      if (auto again = rows.rewind(); !again) return again;
      return score_rows({numbers, score}, rows, map.pool, {.out = out, .columns = numbers});
    };
    return use({rows, places, map.source, map.pool, each_row, map.features});
  });
}

} // namespace

bool have_maps_that_learn(const Schema& schema) {
  return std::ranges::any_of(schema.maps, [](const FeatureMap& map) {
    const auto call = learning_call(map);
    return call && *call;
  });
}

Result<void> learn_maps(Schema& schema, const std::string& source, const WithRows& with_rows, Pool& pool,
                        Values* features) {
  for (FeatureMap& map : schema.maps) {
    const auto call = learning_call(map);
    if (!call) return std::unexpected(call.error());
    if (!*call) continue;
    if (schema.missing == Missing::neighbours)
      return fail(ErrorCode::usage, map.text,
                  "it is learned from its own columns, and neighbours fill in by all of them",
                  "fill in by missing = mean, or drop such rows");
    const auto learn = [&](const feature::LearningRows& rows) {
      return feature::leaf_of(**call).learn(map, **call, rows);
    };
    const Schema plain = plain_schema(schema, **call);
    if (auto done = with_learning_rows({plain, source, pool, features}, with_rows, learn); !done) return done;
  }
  return {};
}

Result<std::vector<std::string>> map_differences(const Schema& schema, const std::string& source,
                                                 const WithRows& with_rows, Pool& pool) {
  std::vector<std::string> out;
  for (const FeatureMap& map : schema.maps) {
    const auto call = learning_call(map);
    if (!call) return std::unexpected(call.error());
    if (!*call) continue;
    const auto compare = [&](const feature::LearningRows& rows) -> Result<void> {
      auto some = feature::leaf_of(**call).differences(map, **call, rows);
      if (!some) return std::unexpected(some.error());
      out.insert(out.end(), some->begin(), some->end());
      return {};
    };
    const Schema plain = plain_schema(schema, **call);
    if (auto done = with_learning_rows({plain, source, pool}, with_rows, compare); !done)
      return std::unexpected(done.error());
  }
  return out;
}

std::vector<std::string> map_notes(const Schema& schema) {
  std::vector<std::string> out;
  for (const FeatureMap& map : schema.maps)
    if (const auto call = learning_call(map); call && *call)
      out.push_back(feature::leaf_of(**call).note(**call, map.learned));
  return out;
}

} // namespace recta
