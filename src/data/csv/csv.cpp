// Reading a whole table: pieces of the file are scanned for row ends, which fixes the place of every row; then the
// pieces are parsed straight into the columns. What is read never depends on the number of threads.
#include "data/csv/csv.hpp"

#include "base/large_memory.hpp"
#include "base/pool.hpp"
#include "data/csv/pieces.hpp"
#include "data/csv/rows.hpp"
#include "data/dataset.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace recta {
namespace csv {
namespace {

// What a table may take: what the caller says, else what the file's own size can justify (a row of a million empty
// fields is a small file and a large table).
std::uint64_t most_bytes(std::size_t bytes, const ReadOptions& options) {
  return options.max_memory ? options.max_memory : 16 * static_cast<std::uint64_t>(bytes) + (64 << 20);
}

Result<Layout> layout_of(std::string_view bytes, const std::string& source, ReadOptions options) {
  options.max_memory = most_bytes(bytes.size(), options);
  for (std::size_t size = kSampleBytes;; size *= 4) {
    const bool whole = bytes.size() <= size;
    auto layout = detect_layout(bytes.substr(0, size), whole, source, options);
    if (!layout || layout->enough || whole) return layout;
  }
}

std::size_t column_bytes(ColumnType type) {
  if (type == ColumnType::text) return sizeof(std::string);
  return type == ColumnType::category ? sizeof(std::int32_t) : sizeof(double);
}

// What the table will take, before it is allocated: refused beyond the limit.
Result<void> check_memory(const Layout& layout, Index rows, std::size_t bytes, std::uint64_t limit) {
  double need = static_cast<double>(bytes) + static_cast<double>(kColumnBytes) * static_cast<double>(layout.cols());
  for (const ColumnType type : layout.types)
    need += static_cast<double>(rows) * static_cast<double>(column_bytes(type));
  const auto most = static_cast<double>(limit);
  if (need <= most) return {};
  return fail(ErrorCode::bad_data, layout.source,
              fmt::format("{} rows of {} columns need {:.0f} MiB, more than the limit of {:.0f} MiB", rows,
                          layout.cols(), need / 1048576, most / 1048576),
              "raise --max-memory, or stream the file");
}

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
void touch_pages(Dataset& data, Pool& pool) {
  constexpr std::size_t kPage = (1 << 21) / sizeof(double);
  pool.run(static_cast<Index>(data.columns.size()), [&](Index j, int) {
    Values& values = data.columns[j].values;
    const std::size_t before = reinterpret_cast<std::uintptr_t>(values.data()) / sizeof(double) % kPage;
    for (std::size_t i = before ? kPage - before : 0; i < values.size(); i += kPage) values[i] = 0;
  });
}

struct Worker {
  std::vector<LevelTable> levels;
  std::vector<std::uint8_t> real;
};

// The levels of all workers in one sorted list; each worker's codes translated to it.
void merge_levels(Column& column, std::size_t category, std::span<Worker> workers, std::span<const Piece> pieces,
                  std::span<const int> worker_of) {
  LevelTable all;
  std::vector<std::vector<std::int32_t>> translate(workers.size());
  for (std::size_t w = 0; w < workers.size(); ++w) {
    LevelTable& own = workers[w].levels[category];
    own.close();
    for (const std::string_view level : own.levels()) {
      const std::int32_t known = all.find(level);
      translate[w].push_back(known == LevelTable::kUnknown ? all.add(level, false, true) : known);
    }
    own.forget_levels();
  }
  all.close();
  const std::vector<std::int32_t> order = level_order(all.levels());
  std::vector<std::int32_t> place(order.size());
  column.levels.reserve(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[order[k]] = static_cast<std::int32_t>(k);
    column.levels.emplace_back(all.levels()[order[k]]);
  }
  for (std::size_t k = 0; k < pieces.size(); ++k)
    for (Index i = pieces[k].first_row; i < pieces[k].first_row + pieces[k].rows; ++i)
      if (column.codes[i] >= 0) column.codes[i] = place[translate[worker_of[k]][column.codes[i]]];
  for (Worker& worker : workers) worker.levels[category] = LevelTable();
}

class TableReader {
public:
  TableReader(std::string_view bytes, const Layout& layout, Pool& pool) : bytes_(bytes), layout_(layout), pool_(pool) {}

  Result<Dataset> read(const ReadOptions& options) {
    Dataset data;
    data.source = layout_.source;
    data.notes = layout_.notes;
    const std::vector<Piece> pieces = cut_pieces(bytes_, layout_, pool_);
    for (const Piece& piece : pieces) data.rows += piece.rows;
    if (data.rows == 0)
      return fail(ErrorCode::bad_data, layout_.source, "there are no data rows", "a header alone is not a table");
    if (auto fits = check_memory(layout_, data.rows, bytes_.size(), most_bytes(bytes_.size(), options)); !fits)
      return std::unexpected(fits.error());
    const std::vector<Target> targets = allocate(data, layout_);
    touch_pages(data, pool_);
    prepare_workers(targets);
    if (auto done = parse(pieces, targets); !done) return std::unexpected(done.error());
    finish(data, pieces, targets);
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

  Result<void> parse(std::span<const Piece> pieces, std::span<const Target> targets) {
    worker_of_.resize(pieces.size());
    std::vector<std::optional<Failure>> failures(pieces.size());
    std::atomic<Index> first_failure = static_cast<Index>(pieces.size());
    pool_.run(static_cast<Index>(pieces.size()), [&](Index k, int w) {
      if (k > first_failure) return;
      Worker& worker = workers_[w];
      worker_of_[k] = w;
      RowParser parser(layout_, targets, worker.levels, true);
      failures[k] = parser.parse(bytes_.data() + pieces[k].begin, bytes_.data() + pieces[k].end, pieces[k].first_row);
      for (std::size_t j = 0; j < targets.size(); ++j) worker.real[j] |= parser.real()[j];
      Index seen = first_failure;
      while (failures[k] && k < seen && !first_failure.compare_exchange_weak(seen, k)) {
      }
    });
    if (first_failure == static_cast<Index>(pieces.size())) return {};
    return std::unexpected(
        describe(*failures[first_failure], layout_, bytes_.data(), bytes_.data() + bytes_.size(), 1));
  }

  void finish(Dataset& data, std::span<const Piece> pieces, std::span<const Target> targets) {
    pool_.run(static_cast<Index>(data.columns.size()), [&](Index j, int) {
      Column& column = data.columns[j];
      if (column.type == ColumnType::category) merge_levels(column, targets[j].category, workers_, pieces, worker_of_);
      if (column.type == ColumnType::integer)
        for (const Worker& worker : workers_)
          if (worker.real[j]) column.type = ColumnType::real;
    });
  }

  std::string_view bytes_;
  const Layout& layout_;
  Pool& pool_;
  std::vector<Worker> workers_;
  std::vector<int> worker_of_;
};

} // namespace
} // namespace csv

Result<Dataset> read_csv(std::string_view bytes, const std::string& source, const ReadOptions& options) {
  auto layout = csv::layout_of(bytes, source, options);
  if (!layout) return std::unexpected(layout.error());
  if (layout->names.empty()) return fail(ErrorCode::bad_data, source, "is empty", "give a table with at least one row");
  Pool pool(bytes.size() > csv::kPieceBytes ? options.threads : 1);
  return csv::TableReader(bytes, *layout, pool).read(options);
}

} // namespace recta
