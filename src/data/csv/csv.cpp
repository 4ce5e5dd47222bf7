// Reading a whole table: pieces of the file are scanned for row ends, which fixes the place of every row; then the
// pieces are parsed straight into the columns, and released one by one. What is read never depends on the number of
// threads.
#include "data/csv/csv.hpp"

#include "base/large_memory.hpp"
#include "base/listening.hpp"
#include "data/csv/pieces.hpp"
#include "data/csv/rows.hpp"
#include "data/csv/scan.hpp"
#include "data/dataset.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace recta {
namespace csv {
namespace {

Result<Layout> layout_of(std::string_view bytes, const std::string& source, ReadOptions options) {
  options.max_memory = memory_limit(bytes.size(), options);
  for (std::size_t size = kSampleBytes;; size *= 4) {
    keep_going();
    const bool whole = bytes.size() <= size;
    auto layout = detect_layout(bytes.substr(0, size), whole, source, options);
    if (!layout || layout->enough || whole) return layout;
  }
}

std::size_t column_bytes(ColumnType type) {
  if (type == ColumnType::text) return sizeof(std::string);
  return type == ColumnType::category ? sizeof(std::int32_t) : sizeof(double);
}

// What a thread needs of its own for every column.
std::size_t thread_bytes(const Layout& layout) {
  constexpr std::size_t kTable = 320; // of levels, when it has only a few
  const auto categories = std::count(layout.types.begin(), layout.types.end(), ColumnType::category);
  return RowParser::kColumnBytes * layout.types.size() + kTable * static_cast<std::size_t>(categories);
}

// Rows that are a megabyte long would make threads expensive: as many as the file's size can justify.
int threads_for(const Layout& layout, std::size_t bytes, const Pool& pool) {
  const std::size_t most = (2 * bytes + (16 << 20)) / std::max<std::size_t>(1, thread_bytes(layout));
  return static_cast<int>(std::clamp<std::size_t>(most, 1, static_cast<std::size_t>(pool.threads())));
}

// What the table takes against what it may take. Numbers and codes are counted before they are allocated; levels and
// texts as they are met.
class Budget {
public:
  Budget(const Layout& layout, Index rows, std::size_t text, int threads, std::uint64_t limit)
      : layout_(layout), rows_(rows), limit_(static_cast<double>(limit)) {
    fixed_ = static_cast<double>(text) + static_cast<double>(kColumnBytes * layout.types.size()) +
             static_cast<double>(thread_bytes(layout)) * threads;
    for (const ColumnType type : layout.types)
      fixed_ += static_cast<double>(rows) * static_cast<double>(column_bytes(type));
  }

  void add(std::size_t bytes) { grown_ += bytes; }
  bool enough() const { return need() <= limit_; }
  std::unexpected<Error> refusal() const {
    const bool levels = fixed_ <= limit_;
    return fail(ErrorCode::bad_data, layout_.source,
                fmt::format("{} rows of {} columns{} need {}{:.0f} MiB, more than the limit of {:.0f} MiB", rows_,
                            layout_.cols(), levels ? " with their texts" : "", levels ? "more than " : "",
                            (levels ? limit_ : fixed_) / 1048576, limit_ / 1048576),
                "raise --max-memory, or stream the file");
  }

private:
  double need() const { return fixed_ + static_cast<double>(grown_); }

  const Layout& layout_;
  Index rows_;
  double fixed_ = 0, limit_;
  std::atomic<std::uint64_t> grown_ = 0;
};

std::vector<Target> allocate(Dataset& data, const Layout& layout) {
  std::vector<Target> targets(layout.names.size());
  data.columns.resize(layout.names.size());
  const auto rows = static_cast<std::size_t>(data.rows);
  // The first touch of every page is a sizeable part of reading: the fewer, the better.
  const auto numbers = std::count_if(layout.types.begin(), layout.types.end(), [](ColumnType type) {
    return type == ColumnType::real || type == ColumnType::integer;
  });
  const LargePages pages(static_cast<std::size_t>(numbers) * LargePages::room(rows * sizeof(double)));
  for (std::size_t j = 0; j < targets.size(); ++j) {
    Column& column = data.columns[j];
    column.name = layout.names[j];
    column.type = layout.types[j];
    if (column.type == ColumnType::category)
      column.codes.resize(rows);
    else if (column.type == ColumnType::text)
      column.levels.resize(rows);
    else
      column.values.resize(rows);
    targets[j] = {column.type, column.values.data(), column.codes.data(), column.levels.data()};
  }
  number_categories(targets);
  return targets;
}

// The first touch of a large page clears it. The first rows of all columns lie on all pages, so that the workers would
// want each page at the same time, and each of them would clear one: better that one touches it beforehand.
void touch_pages(Dataset& data, Index first, Index end, Pool& pool) {
  constexpr std::size_t kPage = (1 << 21) / sizeof(double);
  pool.run(static_cast<Index>(data.columns.size()), [&](Index j, int) {
    Values& values = data.columns[j].values;
    if (values.empty()) return;
    const std::size_t before = reinterpret_cast<std::uintptr_t>(values.data()) / sizeof(double) % kPage;
    const std::size_t page = (before + static_cast<std::size_t>(first) + kPage - 1) / kPage * kPage;
    for (std::size_t i = page - before; i < static_cast<std::size_t>(end); i += kPage) values[i] = 0;
  });
}

struct Worker {
  std::vector<LevelTable> levels;
  std::vector<std::uint8_t> real;
  std::size_t level_bytes = 0; // as the budget knows them
};

// What the levels take now, and will take when they are joined with those of other workers, sorted and made strings.
std::size_t level_bytes(const Worker& worker, bool alone) {
  const std::size_t level = sizeof(std::string) + (alone ? 2 : 6) * sizeof(std::int32_t);
  std::size_t bytes = 0;
  for (const LevelTable& table : worker.levels) bytes += table.bytes() + level * static_cast<std::size_t>(table.size());
  return bytes;
}

// The levels of all workers in one table: that of the first, with the others' new ones. `translate`: a worker's numbers
// to those of the table; empty: they are the same.
LevelTable join_levels(std::size_t category, std::span<Worker> workers,
                       std::vector<std::vector<std::int32_t>>& translate) {
  LevelTable all = std::move(workers[0].levels[category]);
  translate.resize(workers.size());
  for (std::size_t w = 1; w < workers.size(); ++w) {
    const LevelTable own = std::move(workers[w].levels[category]);
    translate[w].reserve(static_cast<std::size_t>(own.size()));
    for (std::int32_t k = 0; k < own.size(); ++k) {
      if (k % 4096 == 0) keep_going();
      const std::int32_t known = all.find(own[k]);
      translate[w].push_back(known == LevelTable::kUnknown ? all.add(own[k]) : known);
      if (translate[w].back() == LevelTable::kFull) throw std::bad_alloc();
    }
  }
  all.close();
  return all;
}

// The sorted levels, and the codes that belong to them. What is not needed any more is given back step by step.
void merge_levels(Column& column, std::size_t category, std::span<Worker> workers, std::span<const Piece> pieces,
                  std::span<const int> worker_of) {
  std::vector<std::vector<std::int32_t>> translate;
  const LevelTable all = join_levels(category, workers, translate);
  const std::vector<std::int32_t> order = level_order(all);
  {
    std::vector<std::int32_t> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<std::int32_t>(k);
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      keep_going();
      const std::vector<std::int32_t>& known = translate[worker_of[k]];
      for (Index i = pieces[k].first_row; i < pieces[k].first_row + pieces[k].rows; ++i)
        if (std::int32_t& code = column.codes[i]; code >= 0) code = place[known.empty() ? code : known[code]];
    }
    translate = {};
  }
  column.levels.reserve(order.size());
  for (const std::int32_t k : order) column.levels.emplace_back(all[k]);
}

class TableReader {
public:
  TableReader(const Bytes& bytes, const Layout& layout, const ReadOptions& options, Pool& pool)
      : bytes_(bytes), text_(bytes.view()), layout_(layout), options_(options), pool_(pool) {}

  Result<Dataset> read() {
    Dataset data;
    data.source = layout_.source;
    data.notes = layout_.notes;
    pieces_ = cut_pieces(text_, layout_, pool_);
    for (const Piece& piece : pieces_) data.rows += piece.rows;
    if (data.rows == 0)
      return fail(ErrorCode::bad_data, layout_.source, "there are no data rows", "a header alone is not a table");
    const int threads =
        std::min<int>(pool_.threads(), static_cast<int>(std::min<std::size_t>(pieces_.size(), 1 << 20)));
    Budget budget(layout_, data.rows, text_.size(), threads, memory_limit(text_.size(), options_));
    if (!budget.enough()) return budget.refusal();
    const std::vector<Target> targets = allocate(data, layout_);
    prepare_workers(targets);
    if (auto done = parse(data, targets, budget); !done) return std::unexpected(done.error());
    finish(data, targets);
    return data;
  }

private:
  void prepare_workers(std::span<const Target> targets) {
    const auto categories = std::count_if(targets.begin(), targets.end(),
                                          [](const Target& target) { return target.type == ColumnType::category; });
    workers_.resize(static_cast<std::size_t>(pool_.threads()));
    for (Worker& worker : workers_) {
      worker.levels.resize(static_cast<std::size_t>(categories));
      worker.real.resize(targets.size());
    }
  }

  // In waves: the pages of a wave are touched and its text is released before the next one begins, so that the whole
  // text and the whole table never lie in memory together.
  Result<void> parse(Dataset& data, std::span<const Target> targets, Budget& budget) {
    const auto wave = std::max<std::size_t>(64, 16 * static_cast<std::size_t>(pool_.threads()));
    worker_of_.resize(pieces_.size());
    lines_.resize(pieces_.size());
    failures_.resize(pieces_.size());
    first_failure_ = static_cast<Index>(pieces_.size());
    std::atomic<bool> stopped = false;
    for (std::size_t k = 0; k < pieces_.size(); k += wave) {
      const std::size_t end = std::min(pieces_.size(), k + wave);
      touch_pages(data, pieces_[k].first_row, pieces_[end - 1].first_row + pieces_[end - 1].rows, pool_);
      pool_.run(static_cast<Index>(end - k), [&](Index at, int w) {
        const Index piece = static_cast<Index>(k) + at;
        if (w == 0 && !Listening::wanted(static_cast<double>(piece) / static_cast<double>(pieces_.size())))
          stopped = true;
        if (!stopped) parse_piece(piece, w, targets, budget);
      });
      if (stopped) throw Interrupted();
      if (first_failure_ < static_cast<Index>(end)) return std::unexpected(explain(first_failure_));
      if (!budget.enough()) return budget.refusal();
    }
    return {};
  }

  void parse_piece(Index k, int w, std::span<const Target> targets, Budget& budget) {
    if (k > first_failure_ || !budget.enough()) return;
    Worker& worker = workers_[w];
    worker_of_[k] = w;
    RowParser parser(layout_, targets, worker.levels);
    const std::string_view text = text_.substr(pieces_[k].begin, pieces_[k].end - pieces_[k].begin);
    failures_[k] = parser.parse(text.data(), text.data() + text.size(), pieces_[k].first_row);
    for (std::size_t j = 0; j < targets.size(); ++j) worker.real[j] |= parser.real()[j];
    const std::size_t levels = level_bytes(worker, workers_.size() == 1);
    budget.add(levels - worker.level_bytes + parser.text_bytes());
    worker.level_bytes = levels;
    if (!failures_[k]) {
      lines_[k] = count_lines(text.data(), text.data() + text.size());
      return bytes_.release(text);
    }
    Index seen = first_failure_;
    while (k < seen && !first_failure_.compare_exchange_weak(seen, k)) {
    }
  }

  Error explain(Index k) const {
    Index line = layout_.data_line;
    for (Index before = 0; before < k; ++before) line += lines_[before];
    const char* const begin = text_.data();
    return describe(*failures_[k], layout_, begin + pieces_[k].begin, begin + text_.size(), line);
  }

  void finish(Dataset& data, std::span<const Target> targets) {
    for (std::size_t w = 1; w < workers_.size(); ++w)
      for (LevelTable& table : workers_[w].levels) table.close(); // only the first one's grows on
    run_listening(&pool_, static_cast<Index>(data.columns.size()), [&](Index j, int) {
      Column& column = data.columns[j];
      if (column.type == ColumnType::category) merge_levels(column, targets[j].category, workers_, pieces_, worker_of_);
      if (column.type == ColumnType::integer)
        for (const Worker& worker : workers_)
          if (worker.real[j]) column.type = ColumnType::real;
    });
  }

  const Bytes& bytes_;
  std::string_view text_;
  const Layout& layout_;
  const ReadOptions& options_;
  Pool& pool_;
  std::vector<Piece> pieces_;
  std::vector<Worker> workers_;
  std::vector<int> worker_of_;
  std::vector<Index> lines_; // in each piece
  std::vector<std::optional<Failure>> failures_;
  std::atomic<Index> first_failure_ = 0;
};

} // namespace
} // namespace csv

Result<Dataset> read_csv(const Bytes& bytes, const std::string& source, const ReadOptions& options) {
  const std::string_view text = bytes.view();
  auto layout = csv::layout_of(text, source, options);
  if (!layout) return std::unexpected(layout.error());
  if (layout->names.empty()) return fail(ErrorCode::bad_data, source, "is empty", "give a table with at least one row");
  const Pool all(text.size() > csv::kPieceBytes ? options.threads : 1);
  Pool pool(csv::threads_for(*layout, text.size(), all));
  return csv::TableReader(bytes, *layout, options, pool).read();
}

} // namespace recta
