// Which reader a file gets: the format asked for, else the ending of its name, else what its first bytes look like.
// A format is one row of the table below and one folder beside this file.
#include "base/listening.hpp"
#include "data/arff/arff.hpp"
#include "data/builtin/builtin.hpp"
#include "data/checked_table.hpp"
#include "data/csv/csv.hpp"
#include "data/dataset.hpp"
#include "data/folder/folder.hpp"
#include "data/jsonl/jsonl.hpp"
#include "data/kept_input.hpp"
#include "data/libsvm/libsvm.hpp"
#include "data/npy/npy.hpp"
#include "data/table_reader.hpp"

#include <recta/params.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <span>

namespace recta {
namespace {

using Reader = Result<Dataset> (*)(const Bytes&, const std::string&, const ReadOptions&);
using FileReader = Result<Dataset> (*)(Input&, const ReadOptions&);
using Streamer = Result<std::unique_ptr<BlockReader>> (*)(std::unique_ptr<Input>, const ReadOptions&, Index);

struct Format {
  std::string_view name;
  std::vector<std::string_view> endings;
  bool (*looks)(std::string_view sample); // asked in the order of the table
  Reader read;
  FileReader read_file; // nullptr: all its bytes are read first
  Streamer stream;      // nullptr: read whole
};

bool always(std::string_view) {
  return true;
}
bool never(std::string_view) {
  return false;
} // a tab-separated table is CSV whose separator is detected

Result<Dataset> csv_bytes(const Bytes& bytes, const std::string& source, const ReadOptions& options) {
  return read_csv(bytes.view(), source, options);
}

const std::vector<Format>& formats() {
  static const std::vector<Format> list = {
      {"npy", {".npy"}, looks_like_npy, read_npy, nullptr, stream_npy},
      {"npz", {".npz"}, looks_like_npz, read_npz, nullptr, nullptr},
      {"arff", {".arff"}, looks_like_arff, read_arff, nullptr, stream_arff},
      {"jsonl", {".jsonl", ".ndjson"}, looks_like_jsonl, read_jsonl, read_jsonl_file, stream_jsonl},
      {"libsvm", {".libsvm", ".svm", ".svmlight"}, looks_like_libsvm, read_libsvm, nullptr, stream_libsvm},
      {"tsv", {".tsv"}, never, csv_bytes, read_csv, stream_csv},
      {"csv", {".csv"}, always, csv_bytes, read_csv, stream_csv},
  };
  return list;
}

constexpr std::size_t kSample = 1 << 16; // bytes looked at when the name does not tell

std::string lower(std::string_view text) {
  std::string low(text);
  for (char& c : low)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return low;
}

// The name in lower case without .gz and .zst, which say nothing about what is inside.
std::string bare_name(std::string_view path) {
  std::string name = lower(path);
  for (std::string_view ending : {".gz", ".zst"})
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

const Format* by_name(std::string_view path) {
  const std::string name = bare_name(path);
  for (const Format& format : formats())
    for (std::string_view ending : format.endings)
      if (name.ends_with(ending)) return &format;
  return nullptr;
}

const Format& by_content(std::string_view sample) {
  if (sample.starts_with("\xEF\xBB\xBF")) sample.remove_prefix(3); // byte order mark
  for (const Format& format : formats())
    if (format.looks(sample)) return format;
  return formats().back();
}

Result<const Format*> by_option(const std::string& word) {
  std::vector<std::string> known;
  for (const Format& format : formats()) {
    if (format.name == lower(word)) return &format;
    known.emplace_back(format.name);
  }
  const std::string near = nearest(word, known);
  return fail(ErrorCode::usage, "format", fmt::format("there is no format {}", shown(word)),
              near.empty() ? "known are " + fmt::format("{}", fmt::join(known, ", "))
                           : fmt::format("did you mean {}?", near));
}

// nullptr: neither the options nor the name tell.
Result<const Format*> named_format(const std::string& path, const ReadOptions& options) {
  if (!options.format.empty()) return by_option(options.format);
  return by_name(path);
}

std::string suggestion(const std::string& path) {
  std::vector<std::string> known;
  for (const BuiltinSet& set : builtin_sets()) known.push_back(set.name);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  for (auto at = std::filesystem::directory_iterator(folder.empty() ? "." : folder, ignored);
       !ignored && at != std::filesystem::directory_iterator(); at.increment(ignored))
    known.push_back((folder / at->path().filename()).string());
  return nearest(path, known);
}

Result<void> check_exists(const std::string& path) {
  if (path.empty()) return fail(ErrorCode::usage, "data", "the name of the file is empty");
  std::error_code ignored;
  if (path == "-" || std::filesystem::exists(path, ignored) || ignored) return {};
  const std::string near = suggestion(path);
  return fail(ErrorCode::bad_data, path, "there is no such file and no built-in set of that name",
              near.empty() ? "`recta data` lists the built-in sets" : fmt::format("did you mean {}?", near));
}

bool is_folder(const std::string& path) {
  std::error_code unknown;
  return path != "-" && std::filesystem::is_directory(path, unknown);
}

// An input whose first bytes were looked at, and are read again.
class Reread final : public Input {
public:
  Reread(std::unique_ptr<Input> input, std::string sample, std::uint64_t max_memory)
      : Input(input->source(), max_memory), input_(std::move(input)), sample_(std::move(sample)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t held = std::min(buffer.size(), sample_.size() - at_);
    std::copy_n(sample_.data() + at_, held, buffer.data());
    at_ += held;
    if (held == buffer.size()) return held;
    auto more = input_->read(buffer.subspan(held));
    if (!more) return more;
    return held + *more;
  }
  bool rereads() const override { return input_->rereads(); }
  Result<void> rewind() override {
    if (auto done = input_->rewind(); !done) return done;
    sample_.clear();
    at_ = 0;
    return {};
  }

private:
  std::unique_ptr<Input> input_;
  std::string sample_;
  std::size_t at_ = 0;
};

// Whole lines of a longer text: the last one may be cut.
std::string_view whole_lines(std::string_view sample) {
  if (sample.size() < kSample) return sample;
  const std::size_t end = sample.rfind('\n');
  return end == sample.npos ? sample : sample.substr(0, end + 1);
}

struct Opened {
  std::unique_ptr<Input> input;
  const Format* format = nullptr;
  KeptInput* kept = nullptr; // the input, where it holds its bytes
};

enum class Again : std::uint8_t { as_it_is, kept };

Result<Opened> open_format(const std::string& path, const ReadOptions& options, Again again = Again::as_it_is) {
  auto format = named_format(path, options);
  if (!format) return std::unexpected(format.error());
  auto input = Input::open(path, options);
  if (!input) return std::unexpected(input.error());
  KeptInput* kept = nullptr;
  if (again == Again::kept && !(*input)->rewind()) {
    auto holding = std::make_unique<KeptInput>(std::move(*input), options);
    kept = holding.get();
    *input = std::move(holding);
  }
  if (*format) return Opened{std::move(*input), *format, kept};
  std::string sample(kSample, '\0');
  auto size = (*input)->read(sample);
  if (!size) return std::unexpected(size.error());
  sample.resize(*size);
  const Format& detected = by_content(whole_lines(sample));
  if ((*input)->rewind()) return Opened{std::move(*input), &detected, kept};
  return Opened{std::make_unique<Reread>(std::move(*input), std::move(sample), options.max_memory), &detected};
}

// Types that the options give and the reader did not: most formats say themselves what their columns hold.
Result<void> check_types(const Dataset& header, const ReadOptions& options) {
  if (options.types.empty()) return {};
  const auto number = [](ColumnType type) { return type == ColumnType::real || type == ColumnType::integer; };
  const char* const kNames[] = {"real", "integer", "category", "text"};
  std::vector<std::string> names;
  for (const Column& column : header.columns) names.push_back(column.name);
  for (Index j = 0; j < header.sparse.cols; ++j) names.push_back(std::to_string(header.sparse.index_base + j));
  if (auto known = check_typed_names(names, options, header.source); !known) return known;
  for (const auto& [name, type] : options.types) {
    const Column* const column = header.find(name);
    const ColumnType is = column ? column->type : ColumnType::real;
    if (is == type || (number(is) && number(type))) continue;
    return fail(ErrorCode::usage, fmt::format("{}, column {}", header.source, name),
                fmt::format("the file says that it is {}, and {} is asked for", kNames[static_cast<int>(is)],
                            kNames[static_cast<int>(type)]),
                "convert the table to CSV with recta convert, and give the type there");
  }
  return {};
}

Result<Dataset> with_types(Result<Dataset> data, const ReadOptions& options) {
  if (!data) return data;
  if (auto good = check_types(*data, options); !good) return std::unexpected(good.error());
  return data;
}

// The name of the data in messages: standard input has no file name.
std::string source_of(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

Result<Dataset> read_whole(const std::string& path, const ReadOptions& options, Listening& listening) {
  if (find_builtin(path)) return load_builtin(path);
  if (auto there = check_exists(path); !there) return std::unexpected(there.error());
  if (is_folder(path)) return read_folder(path, options);
  auto opened = open_format(path, options);
  if (!opened) return std::unexpected(opened.error());
  if (opened->format->read_file) return opened->format->read_file(*opened->input, options);
  auto bytes = opened->input->read_all();
  if (!bytes) return std::unexpected(bytes.error());
  listening.stage("parsing");
  return opened->format->read(*bytes, source_of(path), options);
}

Result<KeptStream> open_rows(const std::string& path, const ReadOptions& options, Index block_rows, Again again) {
  if (find_builtin(path)) return KeptStream{stream_table(load_builtin(path), block_rows)};
  if (auto there = check_exists(path); !there) return std::unexpected(there.error());
  if (is_folder(path)) {
    auto table = read_folder(path, options);
    if (!table) return std::unexpected(table.error());
    return KeptStream{stream_table(*std::move(table), block_rows)};
  }
  auto opened = open_format(path, options, again);
  if (!opened) return std::unexpected(opened.error());
  if (opened->format->stream) {
    auto rows = opened->format->stream(std::move(opened->input), options, block_rows);
    if (!rows) return std::unexpected(rows.error());
    return KeptStream{*std::move(rows), opened->kept};
  }
  auto bytes = opened->input->read_all();
  if (!bytes) return std::unexpected(bytes.error());
  auto table = opened->format->read(*bytes, source_of(path), options);
  if (!table) return std::unexpected(table.error());
  return KeptStream{stream_table(std::move(*table), block_rows)};
}

Result<KeptStream> open_typed_rows(const std::string& path, const ReadOptions& options, Index block_rows, Again again) {
  auto opened = open_rows(path, options, block_rows, again);
  if (!opened) return opened;
  if (auto good = check_types(opened->rows->header(), options); !good) return std::unexpected(good.error());
  return opened;
}

} // namespace

Result<Dataset> parse(std::string_view bytes, const std::string& source, const ReadOptions& options) {
  return guarded(source, cure::kReadLess, [&]() -> Result<Dataset> {
    auto format = named_format(source, options);
    if (!format) return std::unexpected(format.error());
    if (!*format) format = &by_content(whole_lines(bytes.substr(0, kSample)));
    return with_types((*format)->read(Bytes::borrowed(bytes), source, options), options);
  });
}

Result<Dataset> read(const std::string& path, const ReadOptions& options, const Watch& watch) {
  // Without a string of its own: out here running out of memory would be an exception.
  const std::string_view where = path == "-" ? std::string_view("standard input") : std::string_view(path);
  return guarded(where, cure::kReadLess, [&]() -> Result<Dataset> {
    Listening listening(watch, "reading");
    return with_types(read_whole(path, options, listening), options);
  });
}

Result<std::unique_ptr<RowStream>> open_stream(const std::string& path, const ReadOptions& options, Index block_rows) {
  return guarded(path, cure::kFree, [&]() -> Result<std::unique_ptr<RowStream>> {
    auto opened = open_typed_rows(path, options, block_rows, Again::as_it_is);
    if (!opened) return std::unexpected(opened.error());
    return std::move(opened->rows);
  });
}

Result<KeptStream> open_kept_stream(const std::string& path, const ReadOptions& options, Index block_rows) {
  return guarded(path, cure::kFree,
                 [&]() -> Result<KeptStream> { return open_typed_rows(path, options, block_rows, Again::kept); });
}

Result<void> write(const Dataset& data, const std::string& path, const std::string& target) {
  return guarded(path, cure::kFree, [&]() -> Result<void> {
    if (auto good = check_table(data); !good) return good;
    const Format* format = by_name(path);
    const std::string_view name = format ? format->name : "";
    if (name == "libsvm") return write_libsvm(data, path, target);
    if (name == "npy") return write_npy(data, path);
    if (name == "csv" || name == "tsv" || path == "-") return write_csv(data, path);
    return fail(ErrorCode::usage, path, "the name's ending does not tell a format that can be written",
                "end it in .csv, .tsv, .libsvm or .npy, each also with .gz or .zst");
  });
}

} // namespace recta
