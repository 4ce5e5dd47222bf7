// Shortest decimals that read back the same, zeros left out. Dense numeric columns are numbered from the index base,
// the sparse ones follow.
#include "data/libsvm/libsvm.hpp"
#include "data/number.hpp"
#include "data/output.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr std::size_t kBuffer = 1 << 16;

struct Layout {
  const Column* label = nullptr;
  std::vector<const Column*> dense;
};

Result<Layout> layout_of(const Dataset& data, const std::string& target) {
  Layout layout;
  const std::string name = target.empty() ? "label" : target;
  layout.label = data.find(name);
  if (!layout.label)
    return fail(ErrorCode::bad_data, data.source, fmt::format("there is no column \"{}\" to use as label", name),
                "name the label column with --target");
  for (const Column& column : data.columns)
    if (&column != layout.label) layout.dense.push_back(&column);
  for (const Column* column : layout.dense)
    if (!column->numeric())
      return fail(ErrorCode::bad_data, fmt::format("{}, column {}", data.source, column->name),
                  "LIBSVM files hold numbers, and this column holds text",
                  fmt::format("pass --ignore {}, or write CSV", column->name));
  return layout;
}

// Categories have no number of their own: a label is written as the position of its class, from 0.
Result<double> label_of(const Column& label, Index i, const std::string& source) {
  const auto at = static_cast<std::size_t>(i);
  const double value = label.numeric()                                              ? label.values[at]
                       : label.type == ColumnType::category && label.codes[at] >= 0 ? label.codes[at]
                                                                                    : std::nan("");
  if (std::isfinite(value)) return value;
  return fail(ErrorCode::bad_data, fmt::format("{}, row {}, column {}", source, i + 1, label.name),
              "the label is missing or not a number", "LIBSVM files have a number in front of every row");
}

class Writer {
public:
  explicit Writer(Output& output) : output_(output) { text_.reserve(2 * kBuffer); }

  void number(double value) {
    char digits[40];
    text_.append(digits, write_number(value, digits));
  }
  void pair(Index index, double value) {
    char digits[24];
    text_.push_back(' ');
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, index).ptr);
    text_.push_back(':');
    number(value);
  }
  Result<void> end_row() {
    text_.push_back('\n');
    return text_.size() < kBuffer ? Result<void>{} : flush();
  }
  Result<void> flush() {
    auto done = output_.write(text_);
    text_.clear();
    return done;
  }

private:
  Output& output_;
  std::string text_;
};

Result<void> write_row(const Dataset& data, const Layout& layout, Index i, Writer& writer) {
  const Index base = data.sparse.index_base;
  Index next = base;
  for (const Column* column : layout.dense) {
    const double value = column->values[static_cast<std::size_t>(i)];
    if (!std::isfinite(value))
      return fail(ErrorCode::bad_data, fmt::format("{}, row {}, column {}", data.source, i + 1, column->name),
                  "a missing value has no form in a LIBSVM file", "fill or drop it first");
    if (value != 0) writer.pair(next, value);
    ++next;
  }
  if (!data.sparse.start.empty())
    for (Index k = data.sparse.start[static_cast<std::size_t>(i)];
         k < data.sparse.start[static_cast<std::size_t>(i) + 1]; ++k)
      if (const double value = data.sparse.value[static_cast<std::size_t>(k)]; value != 0)
        writer.pair(next + data.sparse.index[static_cast<std::size_t>(k)], value);
  return writer.end_row();
}

} // namespace

Result<void> write_libsvm(const Dataset& data, const std::string& path, const std::string& target) {
  auto layout = layout_of(data, target);
  if (!layout) return std::unexpected(layout.error());
  auto output = Output::open(path);
  if (!output) return std::unexpected(output.error());
  Writer writer(*output);
  for (Index i = 0; i < data.rows; ++i) {
    auto label = label_of(*layout->label, i, data.source);
    if (!label) return std::unexpected(label.error());
    writer.number(*label);
    if (auto done = write_row(data, *layout, i, writer); !done) return done;
  }
  if (auto done = writer.flush(); !done) return done;
  return output->commit();
}

} // namespace recta
