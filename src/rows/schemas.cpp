#include "rows/schemas.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "data/block_reader.hpp"
#include "family/family.hpp"
#include "feature/learn.hpp"
#include "params/params.hpp"
#include "rows/learn_maps.hpp"
#include "rows/sources.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>

namespace recta {
namespace {

// Spec M5: all levels when penalised or when the answer of least norm is asked for; else one reference level less,
// except that without an intercept the first category's levels stand in for it.
feature::Coding coding(const Request& request, const FitOptions& options) {
  const bool penalised = family_of(request.info->word).penalised(request);
  if (penalised || word(request.params, "solver") == "svd") return feature::Coding::all_levels;
  return options.intercept ? feature::Coding::drop_reference : feature::Coding::drop_reference_but_first;
}

feature::TargetKind kind_of(const Request& request) {
  if (request.info->without_target) return feature::TargetKind::none;
  if (feature::asks_for_labels(*request.options)) return feature::TargetKind::label_set;
  return request.info->classes ? feature::TargetKind::label : feature::TargetKind::number;
}

// Learns from the rows of a stream, several blocks of documents at a time.
class StreamLearning {
public:
  StreamLearning(RowStream& stream, feature::SchemaLearner& learner, feature::TextLearner& texts, Pool& pool)
      : reader_(static_cast<BlockReader&>(stream)), learner_(learner), texts_(texts), pool_(pool),
        parts_(at(pool.threads())) {}

  // The next blocks, as many as there are threads; false: there were none.
  Result<bool> advance() {
    std::size_t claimed = 0;
    for (; claimed < parts_.size(); ++claimed) {
      const auto more = reader_.claim(parts_[claimed].raw);
      if (!more) return std::unexpected(more.error());
      if (!*more) break;
    }
    pool_.run(static_cast<Index>(claimed),
              [&](Index k, int worker) { parts_[at(k)].done = read(parts_[at(k)], worker); });
    for (std::size_t k = 0; k < claimed; ++k) {
      if (!parts_[k].done) return std::unexpected(parts_[k].done.error());
      learner_.accumulate(parts_[k].rows);
    }
    return claimed > 0;
  }

private:
  struct Part {
    RawBlock raw;
    Dataset rows;
    Result<void> done;
  };
  Result<void> read(Part& part, int worker) {
    if (auto parsed = reader_.parse(part.raw, part.rows); !parsed) return parsed;
    const auto weights = learner_.row_weights(part.rows);
    return texts_.accumulate(worker, part.rows, 0, part.rows.rows, weights, {});
  }

  BlockReader& reader_;
  feature::SchemaLearner& learner_;
  feature::TextLearner& texts_;
  Pool& pool_;
  std::vector<Part> parts_;
};

// A whole table as it is; a view in parts that hold copies of the columns that schemas are learned from, and have only
// the levels of their rows. `numbers`: whether features that are numbers are among these columns.
template <class Visit>
void for_each_part(const TableView& data, const feature::Roles& roles, bool numbers, const Visit& visit) {
  constexpr Index kRows = 1 << 13;
  if (data.is_whole()) return visit(data.table());
  std::vector<Index> columns;
  std::ranges::copy_if(roles.features, std::back_inserter(columns),
                       [&](Index j) { return numbers || !data.table().columns[at(j)].numeric(); });
  columns.insert(columns.end(), roles.targets.begin(), roles.targets.end());
  if (roles.weights >= 0) columns.push_back(roles.weights);
  std::ranges::sort(columns);
  columns.erase(std::ranges::unique(columns).begin(), columns.end());
  for (Index first = 0; first < data.rows(); first += kRows)
    visit(take_columns(data.table(), data.places(first, std::min(kRows, data.rows() - first)), columns));
}

// Labels that have columns of their own are known before any row is seen.
Result<Schema> labelled_draft(const Dataset& header, const feature::Roles& roles, const FitOptions& options) {
  auto draft = feature::draft_schema(header, roles, options);
  if (draft) draft->labels.names = options.label_columns;
  return draft;
}

} // namespace

Result<Schema> learn_from_table(const TableView& data, const Request& request, const FitOptions& options,
                                std::shared_ptr<const feature::TextRows>* texts) {
  const Dataset& table = data.table();
  const feature::TargetKind kind = kind_of(request);
  const auto roles = feature::assign_roles(table, options, kind);
  if (!roles) return std::unexpected(roles.error());
  auto draft = labelled_draft(table, *roles, options);
  if (!draft || !feature::SchemaLearner::needs_rows(*draft, kind)) return draft;
  feature::SchemaLearner learner(*draft, *roles, kind, feature::separator_for(table, options));
  std::vector<double> weights; // of documents
  for_each_part(data, *roles, feature::SchemaLearner::reads_numbers(*draft), [&](const Dataset& part) {
    learner.accumulate(part);
    if (draft->texts.empty()) return;
    const std::vector<double> more = learner.row_weights(part);
    weights.insert(weights.end(), more.begin(), more.end());
  });
  auto schema = learner.finish(coding(request, options), table.source, options);
  if (!schema) return schema;
  Pool pool(options.threads);
  const auto with_rows = [&](const Schema& plain, const UseRows& use) -> Result<void> {
    const auto rows = TableRows::make(plain, data);
    return rows ? use((*rows)->rows().source) : std::unexpected(rows.error());
  };
  if (auto done = learn_maps(*schema, table.source, with_rows, pool); !done) return std::unexpected(done.error());
  if (schema->texts.empty()) return schema;
  auto counted = feature::learn_texts(data, *roles, weights, pool, *schema);
  if (!counted) return std::unexpected(counted.error());
  if (texts) *texts = *std::move(counted);
  return schema;
}

Result<Schema> learn_from_stream(KeptStream& kept, const Request& request, const FitOptions& options,
                                 const Clock& clock) {
  RowStream& stream = *kept.rows;
  const Dataset& header = stream.header();
  const feature::TargetKind kind = kind_of(request);
  const auto roles = feature::assign_roles(header, options, kind);
  if (!roles) return std::unexpected(roles.error());
  auto draft = labelled_draft(header, *roles, options);
  if (!draft) return draft;
  const bool needs_rows = feature::SchemaLearner::needs_rows(*draft, kind);
  if (!needs_rows && draft->sparse_cols == 0) kept.let_go();
  if (!needs_rows) return draft;
  if (auto begun = stream.rewind(); !begun) return std::unexpected(begun.error());
  feature::SchemaLearner learner(*draft, *roles, kind, feature::separator_for(header, options));
  Pool pool(draft->texts.empty() ? 1 : options.threads);
  auto texts = feature::TextLearner::make(*draft, *roles, pool.threads());
  if (!texts) return std::unexpected(texts.error());
  StreamLearning learning(stream, learner, *texts, pool);
  const Watch watch = clock.watch();
  const Listening listening(watch, "learning the columns");
  for (;;) {
    const auto more = learning.advance();
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    if (!watch({.stage = "learning the columns", .fraction = -1}))
      return fail(ErrorCode::interrupted, header.source,
                  "stopped while learning the columns: " + clock.stop_reason().text());
  }
  if (auto again = stream.rewind(); !again) return std::unexpected(again.error());
  auto schema = learner.finish(coding(request, options), header.source, options);
  if (!schema) return schema;
  if (auto done = texts->finish(*schema, header.source, pool); !done) return std::unexpected(done.error());
  const auto with_rows = [&](const Schema& plain, const UseRows& use) -> Result<void> {
    const auto rows = StreamRows::make(plain, std::move(kept.rows));
    if (!rows) return std::unexpected(rows.error());
    auto done = use((*rows)->rows().source);
    kept.rows = (*rows)->release();
    return done ? kept.rows->rewind() : done;
  };
  Pool all(options.threads);
  if (auto done = learn_maps(*schema, kept.rows->header().source, with_rows, all); !done)
    return std::unexpected(done.error());
  return schema;
}

SurveyedSchema::SurveyedSchema(Schema draft, const feature::SchemaLearner& untaught, feature::TargetKind kind,
                               feature::TextLearner texts)
    : draft_(std::move(draft)), kind_(kind), untaught_(untaught), all_(untaught), texts_(std::move(texts)) {}

Result<SurveyedSchema> SurveyedSchema::make(const Dataset& header, const Request& request) {
  const FitOptions& options = *request.options;
  const feature::TargetKind kind = kind_of(request);
  const auto roles = feature::assign_roles(header, options, kind);
  if (!roles) return std::unexpected(roles.error());
  auto draft = labelled_draft(header, *roles, options);
  if (!draft) return std::unexpected(draft.error());
  if (options.missing == Missing::neighbours)
    return fail(ErrorCode::usage, "missing",
                "the neighbours that fill values in are rows, which an engine holds in parts",
                "take missing = mean, indicator or drop");
  if (have_maps_that_learn(*draft))
    return fail(ErrorCode::usage, request.info->word, "its maps learn from all rows, which an engine holds in parts",
                "fit them on a sample, and give the features that they make");
  auto texts = feature::TextLearner::make(*draft, *roles, 1);
  if (!texts) return std::unexpected(texts.error());
  const feature::SchemaLearner untaught(*draft, *roles, kind, feature::separator_for(header, options));
  return SurveyedSchema(*std::move(draft), untaught, kind, *std::move(texts));
}

Result<std::string> SurveyedSchema::survey(const Dataset& part) const {
  feature::SchemaLearner learner = untaught_;
  learner.accumulate(part);
  feature::TextLearner texts = texts_;
  if (auto read = texts.accumulate(0, part, 0, part.rows, learner.row_weights(part), {}); !read)
    return std::unexpected(read.error());
  Pool pool(1);
  StateWriter out("survey");
  out.put(std::string_view(learner.to_bytes()));
  out.put(std::string_view(texts.to_bytes(false, pool)));
  return out.take();
}

Result<void> SurveyedSchema::add(std::string_view survey) {
  StateReader in("survey", survey);
  const std::string_view columns = in.text(), texts = in.text();
  if (!in.done()) return damaged_state("what was learned of the columns");
  feature::SchemaLearner learner = untaught_;
  if (auto read = learner.read(columns); !read) return read;
  all_.merge(learner);
  return texts_.add_counts(texts);
}

std::string SurveyedSchema::to_bytes() const {
  Pool pool(1);
  StateWriter out("survey");
  out.put(std::string_view(all_.to_bytes()));
  out.put(std::string_view(texts_.to_bytes(true, pool)));
  return out.take();
}

Result<Schema> SurveyedSchema::finish(const Request& request, const std::string& source) const {
  if (!feature::SchemaLearner::needs_rows(draft_, kind_)) return draft_;
  auto schema = all_.finish(coding(request, *request.options), source, *request.options);
  if (!schema) return schema;
  Pool pool(1);
  feature::TextLearner texts = texts_; // whose end changes it
  if (auto done = texts.finish(*schema, source, pool); !done) return std::unexpected(done.error());
  return schema;
}

} // namespace recta
