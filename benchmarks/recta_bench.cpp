// Times Recta's own work for the benchmark harness, and the BLAS calls it is measured against, on the same memory in
// the same process, turn by turn. Prints one JSON document. benchmarks/README.md says how the figures are used.
#include <recta/recta.hpp>

#include <algorithm>
#include <cblas.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <functional>
#include <map>
#include <sys/mman.h>
#include <sys/resource.h>
#include <thread>

namespace {

using recta::Index;

struct Arguments {
  std::string task;
  std::map<std::string, std::string> named;

  std::string text(const std::string& name, const std::string& otherwise = {}) const {
    const auto found = named.find(name);
    return found == named.end() ? otherwise : found->second;
  }
  double number(const std::string& name, double otherwise) const {
    return named.contains(name) ? std::stod(named.at(name)) : otherwise;
  }
  int threads() const { return static_cast<int>(number("threads", 2)); }
  int repeat() const { return static_cast<int>(number("repeat", 3)); }
};

template <class T>
T must(recta::Result<T> result) {
  if (result) return *std::move(result);
  fmt::print(stderr, "recta_bench: {}\n", result.error().text());
  std::exit(1);
}

// OpenBLAS keeps its threads spinning for a while after a call; they would run against the next contender.
double seconds(const std::function<void()>& work, bool pause = true) {
  if (pause) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::uint64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

template <class T>
using Array = std::vector<T, recta::UnsetAllocator<T>>;

// A file of numbers without a header, as numpy's tofile writes it. In large pages, where numpy has its own arrays.
// The first `shift` places are left unset.
template <class T>
Array<T> load_array(const std::string& path, std::size_t count, std::size_t shift = 0) {
  constexpr std::uintptr_t kPage = 4096;
  Array<T> values(shift + count);
  const auto begin = (reinterpret_cast<std::uintptr_t>(values.data()) + kPage - 1) / kPage * kPage;
  const auto end = reinterpret_cast<std::uintptr_t>(values.data() + values.size()) / kPage * kPage;
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(values.data() + shift), static_cast<std::streamsize>(count * sizeof(T)));
  if (static_cast<std::size_t>(file.gcount()) != count * sizeof(T)) {
    fmt::print(stderr, "recta_bench: {} is shorter than {} numbers\n", path, count);
    std::exit(1);
  }
  return values;
}
recta::Values load(const std::string& path, std::size_t count, std::size_t shift = 0) {
  return load_array<double>(path, count, shift);
}

void store(const std::string& path, const std::vector<double>& values) {
  if (path.empty()) return;
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(double)));
}

struct Problem {
  recta::Values x, y;
  Index n, p, k;
  bool by_row;
  std::size_t shift; // numbers between the start of a cache line and x: NumPy's arrays begin two after one
  recta::MatrixView targets() const { return recta::MatrixView::col_major(y.data(), n, k); }
  recta::MatrixView view() const {
    const double* const first = x.data() + shift;
    return by_row ? recta::MatrixView::row_major(first, n, p) : recta::MatrixView::col_major(first, n, p);
  }
};

// Compressed columns or rows: x holds the numbers, index and start are 32 bits wide.
struct SparseProblem {
  recta::Values x, y;
  Array<std::int32_t> index, start;
  Index n, p;
  recta::Compressed compressed;
  recta::SparseView view() const {
    return {n, p, start.data(), index.data(), x.data(), recta::IndexWidth::bits32, compressed};
  }
};

Array<std::int32_t> load_indices(const std::string& path) {
  return load_array<std::int32_t>(path, std::filesystem::file_size(path) / sizeof(std::int32_t));
}

SparseProblem sparse_problem(const Arguments& arguments) {
  SparseProblem made;
  made.n = static_cast<Index>(arguments.number("rows", 0));
  made.p = static_cast<Index>(arguments.number("cols", 0));
  made.compressed = arguments.text("compressed") == "rows" ? recta::Compressed::by_row : recta::Compressed::by_column;
  made.index = load_indices(arguments.text("index"));
  made.start = load_indices(arguments.text("start"));
  made.x = load(arguments.text("x"), made.index.size());
  made.y = load(arguments.text("y"), static_cast<std::size_t>(made.n));
  return made;
}

Problem problem(const Arguments& arguments) {
  Problem made;
  made.n = static_cast<Index>(arguments.number("rows", 0));
  made.p = static_cast<Index>(arguments.number("cols", 0));
  made.k = static_cast<Index>(arguments.number("targets", 1));
  made.by_row = arguments.text("order", "C") == "C";
  made.shift = static_cast<std::size_t>(arguments.number("shift", 0));
  made.x = load(arguments.text("x"), static_cast<std::size_t>(made.n * made.p), made.shift);
  made.y = load(arguments.text("y"), static_cast<std::size_t>(made.n * made.k));
  return made;
}

// Of each target the intercept, then the weights.
std::vector<double> coefficients(const recta::Model& model) {
  std::vector<double> w;
  for (const auto& target : model.linear()->targets) {
    w.push_back(target.intercept.value);
    for (const auto& coefficient : target.coefficients) w.push_back(coefficient.value);
  }
  return w;
}

// So many columns one after the other are a group.
std::string groups_of(Index size, Index cols) {
  std::string text;
  for (Index j = 1; j <= cols; j += size) text += fmt::format("#{}-{};", j, std::min(j + size - 1, cols));
  return text;
}

recta::FitOptions fit_options(const Arguments& arguments) {
  recta::FitOptions options;
  options.threads = arguments.threads();
  for (const char* name : {"lambda", "lambda1", "tau", "quantile", "epsilon"})
    if (arguments.named.contains(name)) options.params[name] = arguments.number(name, 0);
  if (arguments.named.contains("group-size"))
    options.params["groups"] = groups_of(static_cast<Index>(arguments.number("group-size", 1)),
                                         static_cast<Index>(arguments.number("cols", 0)));
  options.intercept = arguments.text("intercept", "yes") == "yes";
  options.tolerance = arguments.number("tolerance", options.tolerance);
  return options;
}

void print(std::string_view name, const std::vector<double>& times) {
  fmt::print("\"{}\": [{:.6g}], ", name, fmt::join(times, ", "));
}

void fit_sparse(const Arguments& arguments);

// The fit, proof included, and one dsyrk on the same matrix, alternately.
void fit(const Arguments& arguments) {
  if (arguments.named.contains("start")) return fit_sparse(arguments);
  const Problem made = problem(arguments);
  const auto options = fit_options(arguments);
  const recta::Arrays arrays{.dense = made.view(), .y = made.targets()};
  const bool dsyrk = arguments.text("dsyrk", "yes") == "yes";
  std::vector<double> ours, theirs, gram(dsyrk ? static_cast<std::size_t>(made.p * made.p) : 0);
  const bool pause = arguments.text("pause", "yes") == "yes";
  std::uint64_t peak = 0;
  recta::Model model;
  for (int r = 0; r < arguments.repeat(); ++r) {
    ours.push_back(
        seconds([&] { model = must(recta::fit(arguments.text("word", "linear"), arrays, options)); }, pause));
    if (peak == 0) peak = peak_bytes();
    if (!dsyrk) continue;
    openblas_set_num_threads(arguments.threads());
    theirs.push_back(seconds([&] {
      cblas_dsyrk(made.by_row ? CblasRowMajor : CblasColMajor, CblasUpper, CblasTrans, static_cast<int>(made.p),
                  static_cast<int>(made.n), 1, made.x.data() + made.shift,
                  static_cast<int>(made.by_row ? made.p : made.n), 0, gram.data(), static_cast<int>(made.p));
    }));
  }
  store(arguments.text("answer"), coefficients(model));
  print("seconds", ours);
  if (dsyrk) print("dsyrk_seconds", theirs);
  fmt::print("\"data_bytes\": {}, \"peak_bytes\": {}, \"verdict\": \"{}\", \"sentence\": \"{}\"",
             made.n * (made.p + 1) * 8, peak, recta::name(model.certificate.verdict), model.certificate.sentence());
}

void fit_sparse(const Arguments& arguments) {
  const SparseProblem made = sparse_problem(arguments);
  const recta::Arrays arrays{.sparse = made.view(), .y = recta::MatrixView::vector(made.y.data(), made.n)};
  std::vector<double> times;
  recta::Model model;
  for (int r = 0; r < arguments.repeat(); ++r)
    times.push_back(seconds([&] { model = must(recta::fit(arguments.text("word"), arrays, fit_options(arguments))); }));
  store(arguments.text("answer"), coefficients(model));
  print("seconds", times);
  fmt::print("\"peak_bytes\": {}, \"verdict\": \"{}\", \"sentence\": \"{}\"", peak_bytes(),
             recta::name(model.certificate.verdict), model.certificate.sentence());
}

void path(const Arguments& arguments) {
  const Problem made = problem(arguments);
  const recta::Arrays arrays{.dense = made.view(), .y = recta::MatrixView::vector(made.y.data(), made.n)};
  recta::PathOptions how;
  how.count = static_cast<Index>(arguments.number("count", 100));
  how.ratio = arguments.number("ratio", 0);
  how.folds = static_cast<Index>(arguments.number("folds", 0));
  how.leave_one_out = arguments.text("leave-one-out") == "yes";
  std::vector<double> times;
  recta::Path made_path;
  for (int r = 0; r < arguments.repeat(); ++r)
    times.push_back(
        seconds([&] { made_path = must(recta::path(arguments.text("word"), arrays, fit_options(arguments), how)); }));
  print("seconds", times);
  fmt::print("\"peak_bytes\": {}, \"passes\": {}", peak_bytes(), made_path.passes);
}

// Prediction and one dgemv on the same matrix, alternately.
void predict(const Arguments& arguments) {
  const Problem made = problem(arguments);
  const recta::Arrays arrays{.dense = made.view(), .y = recta::MatrixView::vector(made.y.data(), made.n)};
  const bool classes = arguments.text("word", "linear") == "logistic"; // labels -1 and 1: their probabilities
  const auto answer = classes ? recta::Answer::probability : recta::Answer::prediction;
  const recta::Model model = must(recta::fit(classes ? "logistic" : "linear", arrays, fit_options(arguments)));
  const auto w = coefficients(model);
  std::vector<double> ours, theirs, z(static_cast<std::size_t>(made.n));
  double difference = 0;
  for (int r = 0; r < arguments.repeat(); ++r) {
    recta::Values predicted;
    ours.push_back(seconds([&] { predicted = must(model.predict(made.view(), arguments.threads(), answer)); }));
    openblas_set_num_threads(arguments.threads());
    theirs.push_back(seconds([&] {
      std::fill(z.begin(), z.end(), w[0]);
      cblas_dgemv(made.by_row ? CblasRowMajor : CblasColMajor, CblasNoTrans, static_cast<int>(made.n),
                  static_cast<int>(made.p), 1, made.x.data() + made.shift,
                  static_cast<int>(made.by_row ? made.p : made.n), w.data() + 1, 1, 1, z.data(), 1);
    }));
    for (std::size_t i = 0; i < z.size(); ++i)
      difference = std::max(difference, classes ? std::abs(1 / (1 + std::exp(-z[i])) - predicted[2 * i + 1])
                                                : std::abs(z[i] - predicted[i]));
  }
  print("seconds", ours);
  print("dgemv_seconds", theirs);
  fmt::print("\"largest_difference\": {:.3g}, \"peak_bytes\": {}", difference, peak_bytes());
}

void read(const Arguments& arguments) {
  recta::ReadOptions options;
  options.threads = arguments.threads();
  std::vector<double> times;
  double checksum = 0;
  recta::Dataset data;
  for (int r = 0; r < arguments.repeat(); ++r) {
    data = {};
    times.push_back(seconds([&] { data = must(recta::read(arguments.text("file"), options)); }));
  }
  for (const auto& column : data.columns)
    for (const double value : column.values) checksum += value;
  for (const double value : data.sparse.value) checksum += value;
  print("seconds", times);
  fmt::print("\"rows\": {}, \"checksum\": {:.17g}, \"peak_bytes\": {}", data.rows, checksum, peak_bytes());
}

// What can be read only once: the file as standard input.
std::string from_standard_input(const std::string& path) {
  if (!std::freopen(path.c_str(), "rb", stdin)) std::exit(1);
  return "-";
}

// The same fit from a file: streamed with its certifying second pass, streamed with one pass (as from standard input),
// or only read into memory.
void stream(const Arguments& arguments) {
  recta::ReadOptions reading;
  reading.threads = arguments.threads();
  recta::FitOptions options = fit_options(arguments);
  options.target = {arguments.text("target", "y")};
  std::vector<double> times;
  recta::Model model;
  const bool once = arguments.number("passes", 2) == 1;
  for (int r = 0; r < arguments.repeat(); ++r)
    times.push_back(seconds([&] {
      const std::string file = once ? from_standard_input(arguments.text("file")) : arguments.text("file");
      model = must(recta::fit_stream(arguments.text("word", "linear"), file, reading, options));
    }));
  store(arguments.text("answer"), coefficients(model));
  print("seconds", times);
  fmt::print("\"peak_bytes\": {}, \"verdict\": \"{}\"", peak_bytes(), recta::name(model.certificate.verdict));
}

} // namespace

int main(int count, char** words) {
  const std::map<std::string, void (*)(const Arguments&)> tasks{
      {"fit", fit}, {"path", path}, {"predict", predict}, {"read", read}, {"stream", stream}};
  Arguments arguments;
  if (count > 1) arguments.task = words[1];
  for (int i = 2; i + 1 < count; i += 2) arguments.named[std::string(words[i]).substr(2)] = words[i + 1];
  const auto task = tasks.find(arguments.task);
  if (task == tasks.end()) {
    fmt::print(stderr, "usage: recta_bench fit|path|predict|read|stream --name value ...\n");
    return 2;
  }
  fmt::print("{{");
  task->second(arguments);
  fmt::print(", \"version\": \"{}\"}}\n", recta::machine().version);
  return 0;
}
