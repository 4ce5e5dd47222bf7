#include "model/score_rows.hpp"

#include "base/deadline.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

namespace recta {
namespace {

class BlockLoop {
public:
  BlockLoop(RowSource& source, const BatchScorer& scorer, const Written& written, Index first_row)
      : source_(source), scorer_(scorer), written_(written), first_row_(first_row) {}

  void work() {
    const auto scratch = source_.scratch();
    std::vector<double> scores;
    while (const auto block = claim(*scratch)) {
      const Result<Batch> batch = source_.load(*scratch);
      if (!batch) {
        failed(*block, batch.error());
        continue;
      }
      double* const out = written_.out + (batch->first_row - first_row_) * written_.columns;
      if (written_.finish) scores.resize(static_cast<std::size_t>(batch->rows() * scorer_.scores));
      const auto done = scorer_.score(*batch, written_.finish ? scores.data() : out);
      if (!done)
        failed(*block, done.error());
      else if (written_.finish)
        written_.finish(*batch, scores.data(), out);
    }
  }
  Result<void> outcome() const { return error_ ? Result<void>(std::unexpected(*error_)) : Result<void>{}; }

private:
  std::optional<Index> claim(BlockScratch& scratch) {
    Deadline::check();
    const std::lock_guard lock(mutex_);
    if (error_) return {};
    const auto block = source_.claim(scratch);
    if (block) return *block;
    error_ = block.error();
    error_block_ = -1;
    return {};
  }
  void failed(Index block, Error error) {
    const std::lock_guard lock(mutex_);
    if (error_ && error_block_ <= block) return;
    error_ = std::move(error);
    error_block_ = block;
  }

  RowSource& source_;
  const BatchScorer& scorer_;
  const Written& written_;
  Index first_row_;
  std::mutex mutex_;
  std::optional<Error> error_;
  Index error_block_ = 0;
};

} // namespace

Result<void> score_rows(const BatchScorer& scorer, RowSource& source, Pool& pool, const Written& written,
                        Index first_row) {
  BlockLoop loop(source, scorer, written, first_row);
  const std::optional<Index> rows = source.rows();
  const Index most = rows ? *rows / block_rows(source.cols()) + 1 : pool.threads(); // no thread is started for no block
  pool.run(std::min<Index>(most, pool.threads()), [&](Index, int) { loop.work(); });
  return loop.outcome();
}

Result<void> score_rows(const Body& body, ScoresOf of, RowSource& source, Pool& pool, const Written& written,
                        Index first_row) {
  const auto score = [&](const Batch& rows, double* out) { return body.score(rows, of, out); };
  return score_rows({body.scores(), score}, source, pool, written, first_row);
}

} // namespace recta
