// Whole files: cut into parts of about a megabyte at line ends, whatever the number of threads; count what each part
// can hold; parse every part into its place of one allocation; close the gaps that blank lines and comments left.
#include "data/libsvm/libsvm.hpp"

#include "base/listening.hpp"
#include "data/dataset.hpp"
#include "data/libsvm/fault.hpp"
#include "data/libsvm/label_words.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>

namespace recta {
namespace {

using namespace libsvm;

constexpr std::size_t kPart = 1 << 20;

struct Part {
  std::string_view text;
  Bound most;
  Index first_row = 0, first_number = 0;
  Outcome out;
};

// `tail` gets the last line when it has no newline of its own.
std::vector<Part> cut(std::string_view bytes, std::string& tail) {
  std::vector<Part> parts;
  const std::size_t last = bytes.rfind('\n');
  const std::size_t whole = last == bytes.npos ? 0 : last + 1;
  for (std::size_t at = 0; at < whole;) {
    const std::size_t end = std::min(whole, bytes.find('\n', std::min(at + kPart, whole - 1)) + 1);
    parts.emplace_back().text = bytes.substr(at, end - at);
    at = end;
  }
  if (whole < bytes.size()) {
    tail.reserve(bytes.size() - whole + 1);
    tail.assign(bytes.substr(whole)).push_back('\n');
    parts.emplace_back().text = tail;
  }
  return parts;
}

// Gives every part its place; returns the room all need.
Bound place(std::vector<Part>& parts, Pool& pool) {
  run_listening(&pool, static_cast<Index>(parts.size()), [&](Index k, int) {
    Part& part = parts[static_cast<std::size_t>(k)];
    part.most = bound(part.text);
  });
  Bound total;
  for (Part& part : parts) {
    part.first_row = total.rows;
    part.first_number = total.numbers;
    total.rows += part.most.rows;
    total.numbers += part.most.numbers;
  }
  return total;
}

// The place in the file of a fault in `part`; the tail is a copy, so positions are taken within the part.
Error fault_error(const std::vector<Part>& parts, const Part& part, const FaultContext& context) {
  Index line = 1;
  for (const Part& before : parts) {
    if (&before == &part) break;
    line += std::ranges::count(before.text, '\n');
  }
  return explain(part.out, part.text, line, context);
}

// Moves what the parts hold together; the parts' row ends become those of the table.
void close_gaps(const std::vector<Part>& parts, Dataset& data) {
  Column& label = data.columns[0];
  SparseColumns& sparse = data.sparse;
  Index rows = 0, numbers = 0;
  for (const Part& part : parts) {
    const auto n = static_cast<std::size_t>(part.out.numbers);
    if (part.first_number != numbers && n > 0) {
      std::memmove(sparse.index.data() + numbers, sparse.index.data() + part.first_number, n * sizeof(Index));
      std::memmove(sparse.value.data() + numbers, sparse.value.data() + part.first_number, n * sizeof(double));
    }
    if (part.first_row != rows && part.out.rows > 0)
      std::memmove(label.values.data() + rows, label.values.data() + part.first_row,
                   static_cast<std::size_t>(part.out.rows) * sizeof(double));
    for (Index i = 0; i < part.out.rows; ++i)
      sparse.start[static_cast<std::size_t>(rows + i + 1)] =
          numbers + sparse.start[static_cast<std::size_t>(part.first_row + i + 1)];
    rows += part.out.rows;
    numbers += part.out.numbers;
  }
  data.rows = rows;
  label.values.resize(static_cast<std::size_t>(rows));
  sparse.start.resize(static_cast<std::size_t>(rows) + 1);
  sparse.index.resize(static_cast<std::size_t>(numbers));
  sparse.value.resize(static_cast<std::size_t>(numbers));
}

// Asks for large pages: at three to eight bytes of table for each byte of text, the first touch of small ones costs as
// much as parsing. This is only advice, so a refusal does not matter.
template <class Vector>
void make_room(Vector& vector, Index size) {
  constexpr std::uintptr_t kPage = 1 << 12, kLarge = 1 << 21;
  const auto count = static_cast<std::size_t>(size);
  vector.reserve(count);
  const std::size_t bytes = count * sizeof(vector[0]);
  const std::uintptr_t from = (reinterpret_cast<std::uintptr_t>(vector.data()) + kPage - 1) & ~(kPage - 1);
  if (bytes > 2 * kLarge) static_cast<void>(madvise(reinterpret_cast<void*>(from), bytes - kPage, MADV_HUGEPAGE));
  vector.resize(count);
}

Dataset room_for(const Bound& most, const std::string& source) {
  Dataset data;
  data.source = source;
  Column& label = data.columns.emplace_back();
  label.name = "label";
  make_room(label.values, most.rows);
  make_room(data.sparse.start, most.rows + 1);
  make_room(data.sparse.index, most.numbers);
  make_room(data.sparse.value, most.numbers);
  return data;
}

void parse_parts(std::vector<Part>& parts, const Limits& limits, Dataset& data, Pool& pool) {
  run_listening(&pool, static_cast<Index>(parts.size()), [&](Index k, int) {
    Part& part = parts[static_cast<std::size_t>(k)];
    part.out =
        parse_lines(part.text, limits,
                    {data.columns[0].values.data() + part.first_row, data.sparse.start.data() + part.first_row + 1,
                     data.sparse.index.data() + part.first_number, data.sparse.value.data() + part.first_number});
  });
}

// Base 1 was assumed while parsing; an index 0 shows that indices start at 0.
Result<void> settle_base(const IndexRange& range, const ReadOptions& options, Dataset& data) {
  SparseColumns& sparse = data.sparse;
  sparse.index_base = options.index_base.value_or(range.lowest == 0 ? 0 : 1);
  sparse.cols = range.highest - sparse.index_base + 1;
  if (range.highest < 0) sparse.cols = 0;
  if (!options.index_base && sparse.index_base == 0)
    for (Index& j : sparse.index) ++j;
  if (sparse.cols > options.max_columns)
    return fail(ErrorCode::bad_data, data.source,
                fmt::format("it has {} columns, more than the limit of {}", sparse.cols, options.max_columns),
                fmt::format("pass --max-columns {} to allow it", sparse.cols));
  data.columns[0].type = range.integer_labels ? ColumnType::integer : ColumnType::real;
  data.notes.push_back(base_note(range, options));
  return {};
}

} // namespace

namespace {

Result<Dataset> read_numbers(std::string_view bytes, const std::string& source, const ReadOptions& options);

// The labels of every row as words: the rows are read with zeros in their place.
Result<Dataset> read_sets(std::string_view bytes, const std::string& source, const ReadOptions& options) {
  LabelWords words = label_words(bytes);
  for (const std::string& level : words.labels.levels)
    if (invalid_utf8(level) != std::string_view::npos)
      return fail(ErrorCode::bad_data, source, fmt::format("the label {} is not UTF-8", shown(level)),
                  "convert the file, for example with iconv -f latin1 -t utf8");
  auto data = read_numbers(words.text, source, options);
  if (data) data->columns[0] = std::move(words.labels);
  return data;
}

} // namespace

Result<Dataset> read_libsvm(const Bytes& all, const std::string& source, const ReadOptions& options) {
  std::string_view bytes = all.view();
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  return wants_label_words(options) ? read_sets(bytes, source, options) : read_numbers(bytes, source, options);
}

namespace {

Result<Dataset> read_numbers(std::string_view bytes, const std::string& source, const ReadOptions& options) {
  if (auto good = check_base(options); !good) return std::unexpected(good.error());
  Pool pool(options.threads);
  std::string tail;
  std::vector<Part> parts = cut(bytes, tail);
  const Bound most = place(parts, pool);
  const std::uint64_t need = bytes.size() + 16 * static_cast<std::uint64_t>(most.rows + most.numbers);
  if (options.max_memory && need > options.max_memory)
    return fail(ErrorCode::bad_data, source,
                fmt::format("its rows need up to {} bytes, more than the limit of {}", need, options.max_memory),
                "raise --max-memory, or stream the file");
  Dataset data = room_for(most, source);
  parse_parts(parts, limits_of(options), data, pool);
  IndexRange range;
  for (const Part& part : parts) {
    if (part.out.fault != Fault::none) return std::unexpected(fault_error(parts, part, {source, options}));
    range.add(part.out);
  }
  close_gaps(parts, data);
  if (data.rows == 0)
    return fail(ErrorCode::bad_data, source, "there are no rows in it", "a row is a label, then pairs like 3:0.5");
  if (auto done = settle_base(range, options, data); !done) return std::unexpected(done.error());
  if (auto fits = check_columns(data.sparse.cols, bytes.size(), {source, options}); !fits)
    return std::unexpected(fits.error());
  return data;
}

} // namespace

bool looks_like_libsvm(std::string_view sample) {
  std::string line;
  while (!sample.empty()) {
    const std::size_t end = std::min(sample.find('\n'), sample.size() - 1) + 1;
    line = sample.substr(0, end);
    sample.remove_prefix(end);
    if (row_line(line)) break;
  }
  if (!row_line(line)) return false;
  if (!line.ends_with('\n')) line.push_back('\n');
  Dataset data = room_for(bound(line), "");
  const Outcome out = parse_lines(line, {0, 0, std::numeric_limits<Index>::max()},
                                  {data.columns[0].values.data(), data.sparse.start.data() + 1,
                                   data.sparse.index.data(), data.sparse.value.data()});
  return out.fault == Fault::none && out.numbers > 0;
}

} // namespace recta
