// Tables to text. A value that would read back as something else (a separator, a quote, a line end, blanks at an end)
// is quoted; everything else is written as it is.
#include "data/csv/csv.hpp"
#include "data/number.hpp"
#include "data/output.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr std::size_t kFlush = 1 << 18;

std::string_view without_packing(std::string_view path) {
  for (const std::string_view ending : {".gz", ".zst"})
    if (path.ends_with(ending)) path.remove_suffix(ending.size());
  return path;
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_text(std::string& out, std::string_view text, char separator) {
  const auto special = [&](char c) { return c == separator || c == '"' || c == '\n' || c == '\r'; };
  const bool blank_end =
      !text.empty() && (text.front() == ' ' || text.front() == '\t' || text.back() == ' ' || text.back() == '\t');
  if (!blank_end && std::none_of(text.begin(), text.end(), special))
    out += text;
  else
    append_quoted(out, text);
}

// Sparse columns follow the named ones, each called by its number. Where one name is a number all have quotes, without
// which they would be values.
void append_names(std::string& out, const Dataset& data, char separator) {
  std::vector<std::string> names;
  for (const Column& column : data.columns) names.push_back(column.name);
  for (Index j = 0; j < data.sparse.cols; ++j) names.push_back(std::to_string(data.sparse.index_base + j));
  const bool numbers = std::ranges::any_of(
      names, [](const std::string& name) { return parse_number(name).status != NumberStatus::not_a_number; });
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (j > 0) out += separator;
    numbers ? append_quoted(out, names[j]) : append_text(out, names[j], separator);
  }
}

void append_value(std::string& out, const Column& column, Index i, char separator) {
  if (column.type == ColumnType::category) {
    if (column.codes[i] >= 0) append_text(out, column.levels[column.codes[i]], separator);
  } else if (column.type == ColumnType::text) {
    append_text(out, column.levels[i], separator);
  } else if (!std::isnan(column.values[i])) {
    char number[32];
    out.append(number, write_number(column.values[i], number));
  }
}

// Zeros are written out.
void append_sparse_values(std::string& out, const SparseColumns& sparse, Index i, bool first, char separator) {
  if (sparse.cols == 0) return;
  Index s = sparse.start[i];
  for (Index j = 0; j < sparse.cols; ++j) {
    if (!first || j > 0) out += separator;
    const bool stored = s < sparse.start[i + 1] && sparse.index[s] == j;
    char number[32];
    out.append(number, write_number(stored ? sparse.value[s++] : 0.0, number));
  }
}

Result<void> write_rows(const Dataset& data, Output& output, char separator) {
  std::string out;
  append_names(out, data, separator);
  out += '\n';
  for (Index i = 0; i < data.rows; ++i) {
    const std::size_t row = out.size();
    for (std::size_t j = 0; j < data.columns.size(); ++j) {
      if (j) out += separator;
      append_value(out, data.columns[j], i, separator);
    }
    append_sparse_values(out, data.sparse, i, data.columns.empty(), separator);
    if (out.size() == row) out += "\"\""; // an empty line is no row
    out += '\n';
    if (out.size() < kFlush) continue;
    if (auto done = output.write(out); !done) return done;
    out.clear();
  }
  return output.write(out);
}

} // namespace

Result<void> write_csv(const Dataset& data, const std::string& path) {
  constexpr Index kWidest = 10'000; // zeros written out make a file that nobody wants
  if (data.sparse.cols > kWidest)
    return fail(ErrorCode::usage, path,
                fmt::format("{} sparse columns would be written out, zeros and all", data.sparse.cols),
                "write it as .libsvm");
  auto output = Output::open(path);
  if (!output) return std::unexpected(output.error());
  const char separator = without_packing(path).ends_with(".tsv") ? '\t' : ',';
  if (auto done = write_rows(data, *output, separator); !done) return done;
  return output->commit();
}

} // namespace recta
