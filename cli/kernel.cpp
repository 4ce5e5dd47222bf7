// recta kernel: the values of a kernel for every pair of rows, and whether they are those of an inner product.
#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"
#include "rows.hpp"

#include <recta/heat_map.hpp>
#include <recta/kernel.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace recta::cli {
namespace {

// Columns of numbers, one row after the other.
struct NumberRows {
  std::vector<std::string> names;
  std::vector<double> values;
};

Result<NumberRows> numbers_of(const Dataset& data, const Arguments& arguments) {
  if (data.sparse.cols > 0)
    return fail(ErrorCode::usage, data.source,
                fmt::format("its {} columns would be written out, zeros and all", data.sparse.cols),
                "take fewer rows or columns");
  std::vector<std::string> left_out = arguments.list("ignore");
  if (arguments.has("target")) left_out.push_back(arguments.text("target"));
  if (!data.sparse.start.empty() && !arguments.has("target")) left_out.push_back("label"); // of a LIBSVM file
  for (const std::string& name : left_out)
    if (!data.find(name))
      return fail(ErrorCode::usage, data.source, fmt::format("there is no column \"{}\"", name), "look at the header");
  std::vector<const Column*> columns;
  NumberRows out;
  for (const Column& column : data.columns) {
    if (std::ranges::find(left_out, column.name) != left_out.end()) continue;
    if (!column.numeric())
      return fail(ErrorCode::usage, fmt::format("{}, column {}", data.source, column.name), "it does not hold numbers",
                  fmt::format("leave it out with --ignore {}", column.name));
    columns.push_back(&column);
    out.names.push_back(column.name);
  }
  for (Index i = 0; i < data.rows; ++i)
    for (const Column* column : columns) out.values.push_back(column->values[static_cast<std::size_t>(i)]);
  return out;
}

std::string matrix_csv(const KernelMatrix& matrix) {
  std::string text;
  for (Index i = 0; i < matrix.rows; ++i)
    for (Index j = 0; j < matrix.rows; ++j)
      text += report::shortest(matrix.values[static_cast<std::size_t>(i * matrix.rows + j)]) +
              (j + 1 < matrix.rows ? "," : "\n");
  return text;
}

report::Document check_document(const Dataset& data, const KernelMatrix& matrix, const MercerCheck& check) {
  report::Document out{{{"schema", "recta/kernel/1"},
                        {"source", data.source},
                        {"kernel", matrix.formula},
                        {"rows", check.rows},
                        {"positive_semidefinite", check.holds()},
                        {"least_eigenvalue", check.least},
                        {"largest_eigenvalue", check.largest},
                        {"rounding", check.rounding},
                        {"negative_eigenvalues", check.negative}},
                       {{report::Sentence{"kernel.formula", {{"kernel", matrix.formula}}},
                         report::Sentence{"kernel.rows", {{"rows", check.rows}, {"source", data.source}}}},
                        {report::said(check.sentence())}}};
  if (!check.holds()) out.data.add({{"quadratic_form", check.quadratic}, {"witness", check.witness}});
  out.data.add("sentence", check.sentence());
  return out;
}

// Documents of the column that --text or --graph names.
Result<std::vector<std::string_view>> texts_of(const Dataset& data, const Arguments& arguments) {
  const std::string name = arguments.has("graph") ? arguments.text("graph") : arguments.text("text");
  if (name.empty())
    return fail(ErrorCode::usage, "--kernel", "this kernel reads a column of texts", "name it with --text COL");
  const Column* const text_column = data.find(name);
  if (!text_column)
    return fail(ErrorCode::usage, data.source, fmt::format("there is no column \"{}\"", name), "look at the header");
  const Column& column = *text_column;
  if (column.numeric())
    return fail(ErrorCode::usage, fmt::format("{}, column {}", data.source, name), "it holds numbers, not texts",
                fmt::format("pass --types {}=text", name));
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < static_cast<std::size_t>(data.rows); ++i) {
    const bool text = column.type == ColumnType::text;
    const std::int32_t code = text ? static_cast<std::int32_t>(i) : column.codes[i];
    out.push_back(code < 0 ? std::string_view() : std::string_view(column.levels[static_cast<std::size_t>(code)]));
  }
  return out;
}

// A matrix that is given is its own, and whether it is one of a kernel is for the check to say.
Result<KernelMatrix> kernel_values(const MatrixView& x, const KernelOptions& options) {
  if (options.kernel != "precomputed") return kernel_matrix(x, options);
  const auto* numbers = static_cast<const double*>(x.data);
  if (auto square = mercer_check(x); !square) return std::unexpected(square.error());
  return KernelMatrix{x.rows, {numbers, numbers + x.rows * x.cols}, "as given"};
}

Result<KernelMatrix> matrix_of(const Dataset& data, const Arguments& arguments, const KernelOptions& options) {
  if (kernel_reads_texts(options.kernel)) {
    const auto texts = texts_of(data, arguments);
    if (!texts) return std::unexpected(texts.error());
    return kernel_matrix(*texts, options);
  }
  const Result<NumberRows> rows = numbers_of(data, arguments);
  if (!rows) return std::unexpected(rows.error());
  return kernel_values(MatrixView::row_major(rows->values.data(), data.rows, static_cast<Index>(rows->names.size())),
                       options);
}

// The labels of the rows for a picture: those of --target, else the texts themselves if there are few.
std::vector<std::string> names_of(const Dataset& data, const Arguments& arguments) {
  constexpr Index kFew = 40;
  const bool texts = arguments.has("graph") || arguments.has("text");
  const std::string name = arguments.has("target")  ? arguments.text("target")
                           : data.rows > kFew       ? ""
                           : arguments.has("graph") ? arguments.text("graph")
                           : texts                  ? arguments.text("text")
                                                    : "";
  std::vector<std::string> out;
  if (const Column* const column = name.empty() ? nullptr : data.find(name))
    for (Index i = 0; i < data.rows; ++i) out.push_back(cell_text(*column, i));
  return out;
}

// The matrix as a picture; rows of the same label stand together.
Result<void> draw_matrix(const Dataset& data, const KernelMatrix& matrix, const Arguments& arguments) {
  plot::HeatMap map{.title = "Similarity of rows of " + data.source, .subtitle = matrix.formula, .rows = matrix.rows};
  std::vector<std::string> names = names_of(data, arguments);
  std::vector<std::size_t> order(static_cast<std::size_t>(matrix.rows));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (arguments.has("target")) std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(names[i], i); });
  for (const std::size_t i : order) {
    if (!names.empty()) map.names.push_back(names[i]);
    for (const std::size_t j : order) map.values.push_back(matrix.values[i * order.size() + j]);
  }
  const auto text = plot::heat_map_svg(map);
  if (!text) return std::unexpected(text.error());
  Result<Output> out = Output::open(arguments.text("plot"));
  if (!out) return std::unexpected(out.error());
  *out << *text;
  return out->finish();
}

FlagInfo whole_flag(const char* name, const char* summary, double lowest, double highest, const char* initial) {
  return {.name = name,
          .kind = FlagKind::count,
          .value = "N",
          .summary = summary,
          .lowest = lowest,
          .highest = highest,
          .initial = initial};
}

FlagInfo number_flag(const char* name, const char* value, const char* summary, double lowest, double highest,
                     const char* initial = "") {
  return {.name = name,
          .kind = FlagKind::number,
          .value = value,
          .summary = summary,
          .lowest = lowest,
          .highest = highest,
          .initial = initial};
}

Result<int> run_kernel(const Arguments& arguments) {
  const Voice voice(arguments);
  if (Result<void> good = spare(arguments.text("output"), arguments.words); !good) return std::unexpected(good.error());
  if (arguments.has("plot")) {
    if (Result<void> good = spare(arguments.text("plot"), {arguments.word(0), arguments.text("output")}, "--plot");
        !good)
      return std::unexpected(good.error());
  }
  Result<Dataset> data = read_data(arguments.word(0), arguments, voice);
  if (!data) return std::unexpected(data.error());
  data = with_named_columns(*std::move(data));
  KernelOptions options{.kernel = arguments.text("kernel", "rbf")};
  options.gamma = arguments.number("gamma", options.gamma);
  if (arguments.has("sigma")) {
    if (arguments.has("gamma"))
      return fail(ErrorCode::usage, "--sigma", "gamma is given as well", "give one of them: gamma = 1 / (2 sigma^2)");
    const double sigma = arguments.number("sigma", 1);
    options.gamma = 1 / (2 * sigma * sigma);
  }
  options.coef = arguments.number("coef", 0);
  options.degree = arguments.count("degree", 3);
  options.threads = static_cast<int>(arguments.count("threads", 0));
  options.length = arguments.count("length", options.length);
  options.decay = arguments.number("decay", options.decay);
  options.mismatches = arguments.count("mismatches", options.mismatches);
  options.alphabet = arguments.count("alphabet", options.alphabet);
  options.rounds = arguments.count("rounds", options.rounds);
  options.normalise = !arguments.has("unnormalised");
  options.bytes = arguments.text("text-unit", "sequence") == "bytes";
  options.beta = arguments.number("beta", options.beta);
  Result<std::string> network = text_or_file("network", arguments.text("network"));
  if (!network) return std::unexpected(network.error());
  options.network = *std::move(network);
  const Result<KernelMatrix> matrix = matrix_of(*data, arguments, options);
  if (!matrix) return std::unexpected(matrix.error());
  if (arguments.has("plot")) {
    if (Result<void> good = draw_matrix(*data, *matrix, arguments); !good) return std::unexpected(good.error());
    voice.note("drew " + arguments.text("plot"));
    if (!arguments.has("output") && !arguments.has("check") && !voice.json) return 0;
  }
  Result<Output> out = Output::open(arguments.text("output"));
  if (!out) return std::unexpected(out.error());
  if (arguments.has("check") || voice.json) {
    const Result<MercerCheck> check = mercer_check(*matrix);
    if (!check) return std::unexpected(check.error());
    *out << text_of(check_document(*data, *matrix, *check), voice);
  } else {
    *out << matrix_csv(*matrix);
  }
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return 0;
}

FlagGroup kernel_flags() {
  return {
      "Kernel",
      {{.name = "kernel", .kind = FlagKind::text, .value = "WORD", .summary = "which kernel", .initial = "rbf"},
       number_flag("gamma", "G", "for kernels that have one; if omitted 1 / (p variance of all numbers)", 1e-300,
                   1e300),
       number_flag("sigma", "S", "in place of gamma: gamma = 1 / (2 sigma^2)", 1e-150, 1e150),
       {.name = "degree",
        .kind = FlagKind::count,
        .value = "H",
        .summary = "degree of the polynomial kernel",
        .lowest = 1,
        .highest = 100,
        .initial = "3"},
       {.name = "coef",
        .kind = FlagKind::number,
        .value = "C",
        .summary = "constant of the kernels polynomial and sigmoid",
        .initial = "0"},
       {.name = "text", .kind = FlagKind::columns, .value = "COL", .summary = "of texts, for the kernels string:"},
       {.name = "graph", .kind = FlagKind::columns, .value = "COL", .summary = "of graphs, for the kernels graph:"},
       {.name = "text-unit",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary = "texts are compared by characters, or byte by byte",
        .choices = {"sequence", "bytes"},
        .initial = "sequence"},
       whole_flag("length", "characters of a run or subsequence", 1, 1000, "3"),
       number_flag("decay", "D", "of string:subsequence and graph:random-walk", 1e-6, 1, "0.5"),
       whole_flag("mismatches", "for string:mismatch, characters that may differ", 0, 100, "1"),
       whole_flag("alphabet", "for string:mismatch, size of the alphabet", 2, 1114112, "26"),
       whole_flag("rounds", "of graph:wl", 0, 100, "3"),
       number_flag("beta", "B", "for graph:diffusion, the time for which heat spreads", 1e-6, 1e6, "1"),
       {.name = "network",
        .kind = FlagKind::text,
        .value = "GRAPH",
        .summary = "for graph:diffusion, the graph whose nodes the rows name: a-b;b-c, or @FILE of one edge per line"},
       {.name = "unnormalised", .summary = "do not divide by the root of k(x, x) k(z, z)"},
       {.name = "check", .kind = FlagKind::on, .summary = "is the matrix positive semidefinite? (--json: always)"},
       {.name = "plot",
        .kind = FlagKind::file,
        .value = "FILE.svg",
        .summary = "the matrix as a picture in place of numbers; rows of one --target stand together"},
       {.name = "target", .kind = FlagKind::text, .value = "COL", .summary = "a column that is not a feature"},
       {.name = "ignore", .kind = FlagKind::columns, .value = "COLS", .summary = "columns to leave out"}}};
}

} // namespace

CommandInfo kernel_command() {
  FlagGroup output = output_flags();
  output.flags.insert(
      output.flags.begin(),
      {.name = "output", .kind = FlagKind::file, .value = "FILE", .summary = "write there", .letter = 'o'});
  return {
      .name = "kernel",
      .summary = "a kernel for every pair of rows, and whether it is an inner product",
      .examples = {{"recta kernel iris --kernel rbf --target species > k.csv", "the matrix, without a header"},
                   {"recta kernel train.csv --kernel sigmoid --coef -1 --check", "Mercer's condition"},
                   {"recta kernel names.csv --kernel string:subsequence --text name --length 2", "of texts"},
                   {"recta kernel iris --target species --plot similarity.svg", "as a picture"}},
      .words = {{"DATA", WordKind::data}},
      .groups = {kernel_flags(), output, {"Working", {threads_flag()}}, reading_flags()},
      .notes =
          "A matrix with v'Kv < 0 for some vector v belongs to no kernel; the answer then holds that vector, and a\n"
          "machine with such a kernel claims only a stationary point.",
      .run = run_kernel};
}

} // namespace recta::cli
