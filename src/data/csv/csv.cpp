// Reading a whole table: a window moves over its text. In each window pieces are scanned for row ends, which fixes the
// place of every row; then they are parsed straight into the columns. Columns are made as long as the text read so far
// suggests. What is read never depends on the number of threads.
#include "data/csv/csv.hpp"

#include "base/large_memory.hpp"
#include "base/listening.hpp"
#include "data/csv/budget.hpp"
#include "data/csv/pieces.hpp"
#include "data/csv/rows.hpp"
#include "data/csv/scan.hpp"
#include "data/csv/text_window.hpp"
#include "data/csv/whole.hpp"
#include "data/csv/worker.hpp"
#include "data/dataset.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace recta {
namespace csv {
namespace {

// The window holds at least the sample afterwards.
Result<Layout> layout_of(TextWindow& window, const std::string& source, const ReadOptions& options) {
  Pool one(1);
  for (std::size_t size = kSampleBytes;; size *= 4) {
    keep_going();
    if (auto done = window.move(0, size, one); !done) return std::unexpected(done.error());
    ReadOptions limited = options;
    limited.max_memory = memory_limit(std::max(window.total(), window.end()), options);
    auto layout = detect_layout(window.view(), window.last(), source, limited);
    if (!layout || layout->enough || window.last()) return layout;
  }
}

// Rows that are a megabyte long would make threads expensive: as many as the text can justify.
int threads_for(const Layout& layout, const TextWindow& window, int threads) {
  const std::size_t bytes = std::max(window.total(), window.end());
  const Pool all(bytes > kPieceBytes ? threads : 1);
  const std::size_t most = (2 * bytes + (16 << 20)) / std::max<std::size_t>(1, worker_bytes(layout));
  return static_cast<int>(std::clamp<std::size_t>(most, 1, static_cast<std::size_t>(all.threads())));
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

template <class T>
void set_length(T& array, std::size_t length) {
  array.reserve(length); // not twice what is there, as resize() would
  array.resize(length);
}

// Columns that grew as they were read hold more than they need.
template <class T>
void end_at(T& array, std::size_t length) {
  array.resize(length);
  if (array.capacity() - length > length / 8) array.shrink_to_fit();
}

class TableReader {
public:
  TableReader(TextWindow& window, Layout& layout, const ReadOptions& options, Pool& pool)
      : window_(window), layout_(layout), options_(options), pool_(pool),
        budget_(layout, worker_bytes(layout), pool.threads()) {}

  Result<Dataset> read(std::size_t window_bytes) {
    describe_columns();
    std::size_t used = layout_.data_begin;
    for (std::size_t size = window_bytes;;) {
      if (auto done = window_.move(used, size, pool_); !done) return std::unexpected(done.error());
      if (window_.last()) Listening::enter("parsing");
      keep_going();
      pieces_ = cut_pieces(window_.view(), layout_, window_.last(), pool_);
      used = pieces_.end;
      size = pieces_.rows > 0 ? window_bytes : 2 * window_.view().size(); // more, until a row ends in it
      if (auto done = make_room(); !done) return std::unexpected(done.error());
      if (auto done = parse(); !done) return std::unexpected(done.error());
      if (window_.last()) break;
    }
    if (data_.rows == 0)
      return fail(ErrorCode::bad_data, layout_.source, "there are no data rows", "a header alone is not a table");
    finish();
    return std::move(data_);
  }

private:
  void describe_columns() {
    data_.source = layout_.source;
    data_.notes = layout_.notes;
    line_ = layout_.data_line;
    data_.columns.resize(layout_.names.size());
    targets_.resize(layout_.names.size());
    for (std::size_t j = 0; j < targets_.size(); ++j) {
      data_.columns[j].name = layout_.names[j];
      data_.columns[j].type = targets_[j].type = layout_.types[j];
    }
    const std::size_t categories = number_categories(targets_);
    workers_.resize(static_cast<std::size_t>(pool_.threads()));
    for (Worker& worker : workers_) {
      worker.levels.resize(categories);
      worker.real.resize(targets_.size());
    }
  }

  // Makes room for the rows of the pieces, and for those that are likely to follow.
  Result<void> make_room() {
    budget_.set_limit(memory_limit(std::max(window_.total(), window_.end()), options_));
    budget_.set_text(window_.view().size());
    const Index rows = data_.rows + pieces_.rows;
    if (rows <= room_) return {};
    const bool all = window_.last();
    const auto passed = static_cast<double>(window_.end() - window_.view().size() + pieces_.end);
    const double expected =
        static_cast<double>(rows) * (all || window_.total() == 0 ? 1 : static_cast<double>(window_.total()) / passed);
    const double planned = expected * (all ? 1 : window_.total() ? 1.02 : 1.5), most = budget_.most_rows();
    if (static_cast<double>(rows) > most || expected > 1.1 * most) return budget_.refusal(expected, !all);
    room_ = std::max(rows, static_cast<Index>(std::min(planned, most)));
    budget_.set_rows(room_);
    allocate(static_cast<std::size_t>(room_));
    return {};
  }

  void allocate(std::size_t rows) {
    // The first touch of every page is a sizeable part of reading: the fewer, the better.
    const auto numbers = std::count_if(data_.columns.begin(), data_.columns.end(),
                                       [](const Column& column) { return column.numeric(); });
    const LargePages pages(static_cast<std::size_t>(numbers) * LargePages::room(rows * sizeof(double)));
    for (std::size_t j = 0; j < targets_.size(); ++j) {
      Column& column = data_.columns[j];
      if (column.type == ColumnType::category)
        set_length(column.codes, rows);
      else if (column.type == ColumnType::text)
        set_length(column.levels, rows);
      else
        set_length(column.values, rows);
      targets_[j].values = column.values.data();
      targets_[j].codes = column.codes.data();
      targets_[j].text = column.levels.data();
    }
  }

  Result<void> parse() {
    const auto count = static_cast<Index>(pieces_.list.size());
    failures_.assign(pieces_.list.size(), std::nullopt);
    first_failure_ = count;
    const std::size_t before = parts_.size();
    parts_.resize(before + pieces_.list.size());
    touch_pages(data_, data_.rows, data_.rows + pieces_.rows, pool_);
    pool_.run(count, [&](Index k, int w) { parse_piece(k, static_cast<std::size_t>(w), parts_[before + k]); });
    if (first_failure_ < count) {
      if (failures_[first_failure_]->fault != Fault::not_a_number || !close_columns(failures_[first_failure_]->col))
        return std::unexpected(explain(first_failure_));
      parts_.resize(before);
      return parse();
    }
    data_.rows += pieces_.rows;
    for (const Piece& piece : pieces_.list) line_ += piece.lines;
    if (!budget_.enough()) return budget_.refusal(static_cast<double>(data_.rows), !window_.last());
    return {};
  }

  // Columns without a value before this window, whose first one in it is a word, become categories. false: `col` does
  // not.
  bool close_columns(Index col) {
    if (!layout_.open[col]) return false;
    for (std::size_t j = 0; j < targets_.size(); ++j) {
      const Values& values = data_.columns[j].values;
      if (layout_.open[j])
        layout_.open[j] =
            std::all_of(values.begin(), values.begin() + data_.rows, [](double v) { return std::isnan(v); });
    }
    const std::size_t notes = layout_.notes.size();
    csv::close_columns(window_.view().substr(0, pieces_.end), layout_);
    data_.notes.insert(data_.notes.end(), layout_.notes.begin() + static_cast<std::ptrdiff_t>(notes),
                       layout_.notes.end());
    for (std::size_t j = 0; j < targets_.size(); ++j)
      if (layout_.types[j] == ColumnType::category && targets_[j].type != ColumnType::category) become_category(j);
    return targets_[static_cast<std::size_t>(col)].type == ColumnType::category;
  }

  void become_category(std::size_t j) {
    Column& column = data_.columns[j];
    column.type = targets_[j].type = ColumnType::category;
    column.codes.assign(column.values.size(), -1);
    column.values = {};
    targets_[j].values = nullptr;
    targets_[j].codes = column.codes.data();
    targets_[j].category = static_cast<std::uint32_t>(workers_[0].levels.size());
    for (Worker& worker : workers_) worker.levels.emplace_back();
  }

  void parse_piece(Index k, std::size_t w, WorkedRows& part) {
    if (k > first_failure_ || !budget_.enough()) return;
    Piece& piece = pieces_.list[k];
    Worker& worker = workers_[w];
    part = {data_.rows + piece.first_row, piece.rows, w};
    RowParser parser(layout_, targets_, worker.levels);
    const char *const begin = window_.view().data() + piece.begin, *const end = window_.view().data() + piece.end;
    failures_[k] = parser.parse(begin, end, part.first_row);
    for (std::size_t j = 0; j < targets_.size(); ++j) worker.real[j] |= parser.real()[j];
    const std::size_t levels = level_bytes(worker, workers_.size() == 1);
    budget_.add(levels - worker.level_bytes + parser.text_bytes());
    worker.level_bytes = levels;
    if (piece.lines == Piece::kUncounted) piece.lines = count_lines(begin, end);
    Index first = first_failure_;
    while (failures_[k] && k < first && !first_failure_.compare_exchange_weak(first, k)) {
    }
  }

  Error explain(Index k) const {
    Index line = line_;
    for (Index before = 0; before < k; ++before) line += pieces_.list[before].lines;
    const std::string_view text = window_.view();
    return describe(*failures_[k], layout_, text.data() + pieces_.list[k].begin, text.data() + text.size(), line);
  }

  void finish() {
    for (std::size_t w = 1; w < workers_.size(); ++w)
      for (LevelTable& table : workers_[w].levels) table.close(); // only the first one's grows on
    const auto rows = static_cast<std::size_t>(data_.rows);
    run_listening(&pool_, static_cast<Index>(data_.columns.size()), [&](Index j, int) {
      Column& column = data_.columns[j];
      if (column.numeric()) column.values.resize(rows); // what lies beyond was never touched
      if (column.type == ColumnType::text) end_at(column.levels, rows);
      if (column.type == ColumnType::category) {
        end_at(column.codes, rows);
        merge_levels(column, targets_[j].category, workers_, parts_);
      }
      if (column.type == ColumnType::integer)
        for (const Worker& worker : workers_)
          if (worker.real[j]) column.type = ColumnType::real;
    });
  }

  TextWindow& window_;
  Layout& layout_;
  const ReadOptions& options_;
  Pool& pool_;
  Budget budget_;
  Dataset data_;
  Index room_ = 0; // rows that the columns can hold
  Index line_ = 1; // on which the window begins
  std::vector<Target> targets_;
  std::vector<Worker> workers_;
  std::vector<WorkedRows> parts_;
  Pieces pieces_; // of the window
  std::vector<std::optional<Failure>> failures_;
  std::atomic<Index> first_failure_ = 0;
};

} // namespace

Result<Dataset> read_table(TextWindow& window, const std::string& source, const ReadOptions& options,
                           std::size_t window_bytes) {
  auto layout = layout_of(window, source, options);
  if (!layout) return std::unexpected(layout.error());
  if (layout->names.empty()) return fail(ErrorCode::bad_data, source, "is empty", "give a table with at least one row");
  Pool pool(threads_for(*layout, window, options.threads));
  const auto threads = static_cast<std::size_t>(pool.threads());
  return TableReader(window, *layout, options, pool).read(window_bytes ? window_bytes : 8 * kPieceBytes * threads);
}

} // namespace csv

Result<Dataset> read_csv(std::string_view bytes, const std::string& source, const ReadOptions& options) {
  csv::TextWindow window(bytes);
  return csv::read_table(window, source, options);
}

Result<Dataset> read_csv(Input& input, const ReadOptions& options) {
  csv::TextWindow window(input);
  return csv::read_table(window, input.source(), options);
}

} // namespace recta
