// Statistics: what one pass over a shard leaves, as a value that travels.
#include "base/guard.hpp"
#include "family/checked_request.hpp"
#include "family/family.hpp"
#include "feature/request.hpp"
#include "rows/sources.hpp"
#include "solver/least_squares.hpp"
#include "stats/reduce.hpp"
#include "stats/sealed.hpp"
#include "stats/state_bytes.hpp"

#include <recta/accumulator.hpp>

#include <fmt/format.h>

namespace recta {
namespace {

using GramAndIdentity = Both<Gram, RowFingerprint>;

constexpr std::string_view kTag = "recta statistics 2";

GramAndIdentity empty_sums(Index cols, Index targets) {
  return {Gram(cols, targets, gram_precision({}, cols, targets)), RowFingerprint(cols, targets)};
}

// Stands in if a source of rows is asked for and every row is in the statistics already.
class NoMoreRows final : public RowSource {
public:
  NoMoreRows(Index cols, Index targets) : cols_(cols), targets_(targets) {}
  Index cols() const override { return cols_; }
  Index targets() const override { return targets_; }
  std::optional<Index> rows() const override { return {}; }
  std::unique_ptr<BlockScratch> scratch() const override { return std::make_unique<BlockScratch>(); }
  Result<std::optional<Index>> claim(BlockScratch&) override { return std::optional<Index>{}; }
  Result<Batch> load(BlockScratch&) const override { return Batch{}; }
  Result<void> rewind() override {
    return fail(ErrorCode::failure, "merged statistics", "the rows are not here", "fit from the rows themselves");
  }

private:
  Index cols_, targets_;
};

} // namespace

struct Statistics::State {
  Partial<GramAndIdentity> sums;
  Schema schema;
  Index cols, targets, rows;
};

// Wide statistics are kept by leaves of several blocks.
Index Statistics::shard_rows(Index columns) {
  return block_rows(columns) * empty_sums(columns, 1).leaf_blocks();
}

Index Statistics::rows() const {
  return empty() ? 0 : state_->rows;
}

Result<Statistics> Statistics::gather(const Arrays& arrays, Index first_row, int threads) {
  return guarded("arrays", cure::kStream, [&]() -> Result<Statistics> {
    const auto rows = ArrayRows::make(arrays, first_row);
    if (!rows) return std::unexpected(rows.error());
    RowSource& source = (*rows)->rows().source;
    if (first_row < 0 || first_row % shard_rows(source.cols()) != 0)
      return fail(ErrorCode::usage, "shard", fmt::format("it begins at row {}", first_row),
                  fmt::format("cut the rows at multiples of {}", shard_rows(source.cols())));
    Pool pool(threads);
    auto sums = reduce(source, empty_sums(source.cols(), source.targets()), pool);
    if (!sums) return std::unexpected(sums.error());
    return Statistics(std::make_shared<State>(
        State{*std::move(sums), schema_of(arrays, {}), source.cols(), source.targets(), *source.rows()}));
  });
}

namespace {

std::unexpected<Error> nothing_gathered() {
  return fail(ErrorCode::usage, "statistics", "there are none: they were moved from", "use those they were moved to");
}

} // namespace

Result<void> Statistics::append(const Statistics& next) {
  if (empty() || next.empty()) return nothing_gathered();
  return guarded("statistics", cure::kStream, [&]() -> Result<void> {
    const auto names = [](const State& s) {
      std::vector<std::string> all;
      for (const SchemaColumn& column : s.schema.columns) all.push_back(column.name);
      return all;
    };
    if (next.state_->cols != state_->cols || next.state_->targets != state_->targets ||
        names(*next.state_) != names(*state_))
      return fail(ErrorCode::bad_data, "statistics", "the shards have different columns",
                  "gather all of them from the same features and targets");
    State joined = *state_;
    if (auto done = joined.sums.append(next.state_->sums); !done) return done;
    joined.rows += next.state_->rows;
    state_ = std::make_shared<State>(std::move(joined));
    return {};
  });
}

std::string Statistics::to_bytes() const {
  if (empty()) return {};
  const State& s = *state_;
  StateWriter out(kTag);
  for (const Index number : {s.cols, s.targets, s.rows, s.schema.sparse_cols}) out.put(number);
  out.put(static_cast<Index>(s.schema.columns.size()));
  for (const SchemaColumn& column : s.schema.columns) out.put(std::string_view(column.name));
  for (const std::string& target : s.schema.targets) out.put(std::string_view(target));
  out.put(std::string_view(s.schema.weights));
  out.put(std::string_view(s.schema.offset));
  out.put(std::string_view(s.sums.to_bytes()));
  return sealed(out.take());
}

Result<Statistics> Statistics::from_bytes(std::string_view bytes) {
  return guarded("statistics", cure::kStream, [&]() -> Result<Statistics> {
    const auto body = unsealed(bytes);
    if (!body) return damaged_state("statistics");
    StateReader in(kTag, *body);
    const Index cols = in.index(), targets = in.index(), rows = in.index();
    Schema schema;
    schema.sparse_cols = in.index();
    const Index names = in.index();
    const auto most = static_cast<Index>(bytes.size() / 8); // every number and every text takes eight bytes or more
    if (cols < 0 || targets < 0 || targets > most || rows < 0 || names < 0 || names > most ||
        (schema.sparse_cols != cols && names != cols))
      return damaged_state("statistics");
    for (Index j = 0; j < names; ++j) schema.columns.emplace_back().name = in.text();
    for (Index t = 0; t < targets; ++t) schema.targets.emplace_back(in.text());
    schema.weights = in.text();
    schema.offset = in.text();
    const std::string_view sum_bytes = in.text();
    // The products alone take this much, so a false number of columns is noticed before memory is asked for.
    const std::size_t least = static_cast<std::size_t>(cols) / 2 * (rows > 0 ? 8 : 0);
    if (!in.done() || (cols > 0 && sum_bytes.size() / static_cast<std::size_t>(cols) < least))
      return damaged_state("statistics");
    auto partial = Partial<GramAndIdentity>::from_bytes(sum_bytes, empty_sums(cols, targets));
    if (!partial) return std::unexpected(partial.error());
    return Statistics(std::make_shared<State>(State{*std::move(partial), std::move(schema), cols, targets, rows}));
  });
}

Result<Model> fit(const std::string& word, const Statistics& statistics, const FitOptions& options) {
  if (statistics.empty()) return nothing_gathered();
  return guarded("statistics", cure::kStream, [&]() -> Result<Model> {
    const auto request = checked_request(word, options);
    if (!request) return std::unexpected(request.error());
    if (feature::asks_for_maps(options))
      return fail(ErrorCode::usage, "statistics", "maps make features from rows, and the rows are not here",
                  "make the features before the statistics are gathered");
    const Statistics::State& state = statistics.state();
    NoMoreRows none(state.cols, state.targets);
    GramAndIdentity total = state.sums.total();
    const Clock clock({}, options.time_limit);
    return family_of(word).fit(*request, state.schema, {none, "statistics", false, true},
                               {std::move(total.second), std::make_shared<const Gram>(std::move(total.first))}, clock);
  });
}

} // namespace recta
