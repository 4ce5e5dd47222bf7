#include "search/record.hpp"

#include "base/file_size_signal.hpp"
#include "base/numbers.hpp"
#include "base/sha256.hpp"

#include <recta/options.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace recta::search {
namespace {

using Line = nlohmann::ordered_json;
constexpr const char* kSearchSchema = "recta/search/1";

template <class List>
void add_bytes(Sha256& sum, const List& list) {
  const std::size_t count = list.size();
  sum.add(&count, sizeof count);
  sum.add(list.data(), count * sizeof(list[0]));
}

std::string data_digest(const Dataset& data) {
  Sha256 sum;
  for (const Column& column : data.columns) {
    sum.add(fmt::format("{}:{};", column.name, static_cast<int>(column.type)));
    add_bytes(sum, column.values);
    add_bytes(sum, column.codes);
    for (const std::string& level : column.levels) sum.add(fmt::format("{}:{}", level.size(), level));
  }
  add_bytes(sum, data.sparse.start);
  add_bytes(sum, data.sparse.index);
  add_bytes(sum, data.sparse.value);
  return hex(sum.finish());
}

std::string splits_digest(const Splits& splits) {
  Sha256 sum;
  add_bytes(sum, splits.used);
  for (const Split& split : splits.parts) {
    add_bytes(sum, split.train);
    add_bytes(sum, split.held_out);
  }
  return hex(sum.finish());
}

// All that scores depend on: every option but those of this machine and of the time.
std::string settings_text(const std::string& word, const FitOptions& options, bool training,
                          const std::vector<std::string>& scores) {
  report::Group settings{{"word", word}, {"training", training}, {"scores", scores}};
  for (const Option<FitOptions>& option : fit_option_table())
    if (option.more.reach != OptionReach::machine && option.more.reach != OptionReach::steering)
      settings.add(std::string(option.name), option_value(option, options));
  return report::to_json(settings);
}

std::vector<double> numbers_in(const Line& list) {
  std::vector<double> out;
  for (const Line& value : list) out.push_back(value.is_null() ? kNaN : value.get<double>());
  return out;
}

std::unexpected<Error> cannot(const std::string& path, const char* what, const std::string& why) {
  return fail(ErrorCode::failure, path, fmt::format("the record of the search cannot be {}: {}", what, why),
              "name another file");
}

std::unexpected<Error> no_record(const std::string& path) {
  return fail(ErrorCode::bad_data, path, "this is not a record of a search", "name another file for it");
}

Result<void> check_name(const Line& head, const SearchName& name, const std::string& path) {
  if (!head.is_object() || head.value("schema", "") != kSearchSchema) return no_record(path);
  const auto other = [&](const char* what, const char* cure) {
    return fail(ErrorCode::usage, path, fmt::format("the search in this file has other {}", what), cure);
  };
  if (head.value("data", "") != name.data) return other("data", "give the data of that search, or name another file");
  if (head.value("splits", "") != name.splits)
    return other("splits", "ask for the folds and the seed of that search, or name another file");
  if (head.value("settings", "") != name.settings)
    return other("settings", "give the model, scores and options of that search, or name another file");
  return {};
}

} // namespace

SearchName search_name(const std::string& word, const Dataset& data, const FitOptions& options,
                       const CrossValidationOptions& how, const Splits& splits,
                       const std::vector<std::string>& scores) {
  if (how.resume.empty()) return {};
  return {data_digest(data), splits_digest(splits), hex(sha256(settings_text(word, options, how.training, scores)))};
}

Result<void> Record::take(const std::string& text) {
  const Line line = Line::parse(text, nullptr, false);
  if (!line.is_object() || !line.contains("point") || !line.contains("split"))
    return fail(ErrorCode::bad_data, path_, "a line of the record is damaged", "name another file");
  Measured measured{.failure = line.value("failure", ""), .seconds = line.value("seconds", 0.0)};
  if (line.contains("scores")) measured.scores = numbers_in(line["scores"]);
  if (line.contains("training")) measured.training = numbers_in(line["training"]);
  done_[{line["point"].get<std::string>(), line["split"].get<Index>()}] = std::move(measured);
  return {};
}

// The lines that are there, and the file cut after the last whole one. False: there is no such file, or an empty one.
Result<bool> Record::read(const SearchName& name) {
  std::ifstream in(path_);
  if (!in) return false;
  std::string text;
  std::uintmax_t whole = 0; // bytes of whole lines
  while (std::getline(in, text) && !in.eof()) {
    if (auto good = whole == 0 ? check_name(Line::parse(text, nullptr, false), name, path_) : take(text); !good)
      return std::unexpected(good.error());
    whole += text.size() + 1;
    text.clear();
  }
  if (text.empty()) return whole > 0;
  if (whole == 0) return no_record(path_);
  in.close();
  std::error_code error;
  std::filesystem::resize_file(path_, whole, error);
  if (error) return cannot(path_, "cut after its last whole line", error.message());
  return true;
}

Result<Record> Record::open(const std::string& path, const SearchName& name) {
  Record record;
  record.path_ = path;
  if (path.empty()) return record;
  const auto there = record.read(name);
  if (!there) return std::unexpected(there.error());
  record.file_.reset(std::fopen(path.c_str(), "ab"));
  if (!record.file_) return cannot(path, "written", std::strerror(errno));
  if (*there) return record;
  const Line head{{"schema", kSearchSchema}, {"data", name.data}, {"splits", name.splits}, {"settings", name.settings}};
  if (auto written = record.append(head.dump()); !written) return std::unexpected(written.error());
  return record;
}

const Measured* Record::find(const std::string& point, Index split) const {
  const auto found = done_.find({point, split});
  return found == done_.end() ? nullptr : &found->second;
}

Result<void> Record::add(const std::string& point, Index split, const Measured& measured) {
  if (!file_) return {};
  Line line{{"point", point}, {"split", split}};
  if (measured.failure.empty()) {
    line["scores"] = measured.scores; // NaN is written as null
    if (!measured.training.empty()) line["training"] = measured.training;
  } else {
    line["failure"] = measured.failure;
  }
  line["seconds"] = measured.seconds;
  return append(line.dump(-1, ' ', false, Line::error_handler_t::replace));
}

Result<void> Record::append(const std::string& line) {
  const NoFileSizeSignal none;
  const bool written = std::fputs((line + "\n").c_str(), file_.get()) >= 0 && std::fflush(file_.get()) == 0;
  if (written) return {};
  const int error = errno;
  file_.reset(); // which writes what is left once more
  return cannot(path_, "written", std::strerror(error));
}

} // namespace recta::search
