#include "feature/classes.hpp"

#include "base/numbers.hpp"
#include "data/dataset.hpp"
#include "data/number.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::feature {
namespace {

// Numbers with a fraction beyond this many values are measured, not named.
constexpr Index kMostFractions = 50;

std::string first_labels(const std::vector<std::string>& labels) {
  constexpr std::size_t kShown = 12;
  const auto end = labels.begin() + static_cast<std::ptrdiff_t>(std::min(labels.size(), kShown));
  return fmt::format("{}{}", fmt::join(labels.begin(), end, ", "), labels.size() > kShown ? ", ..." : "");
}

} // namespace

double class_number(const Classes& classes, Index place) {
  if (classes.count() != 2) return static_cast<double>(place);
  return place == classes.positive ? 1 : -1;
}

Index class_place(const Classes& classes, double number) {
  if (classes.count() != 2) return static_cast<Index>(number);
  return number > 0 ? classes.positive : 1 - classes.positive;
}

Classes against_rest(const Classes& classes, Index place) {
  const std::string& label = classes.labels[at(place)];
  Classes out{.labels = {"not " + label, label}, .weight = {0, 0}};
  for (Index k = 0; k < classes.count(); ++k) {
    out.weight[k == place ? 1 : 0] += classes.weight[at(k)];
    if (k != place) out.rest.push_back(classes.labels[at(k)]);
  }
  return out;
}

std::string label_against_rest(const Classes& classes) {
  return classes.rest.empty() ? "" : classes.labels[at(classes.positive)];
}

void ClassLearner::add(double value, double weight) {
  const auto entry = numbers_.find(value + 0.0); // -0 is 0
  if (entry == numbers_.end() && std::ssize(numbers_) > kMostClasses) return;
  Tally& tally = entry == numbers_.end() ? numbers_[value + 0.0] : entry->second;
  ++tally.rows;
  if (weight > 0) tally.weight += DoubleDouble(weight);
}

void ClassLearner::add(const std::string& label, double weight) {
  const auto entry = texts_.find(label);
  if (entry == texts_.end() && std::ssize(texts_) > kMostClasses) return;
  Tally& tally = entry == texts_.end() ? texts_[label] : entry->second;
  ++tally.rows;
  if (weight > 0) tally.weight += DoubleDouble(weight);
}

void ClassLearner::merge(const ClassLearner& other) {
  const auto join = [](auto& all, const auto& one) {
    const auto entry = all.find(one.first);
    if (entry == all.end() && std::ssize(all) > kMostClasses) return;
    Tally& tally = entry == all.end() ? all[one.first] : entry->second;
    tally.rows += one.second.rows;
    tally.weight += one.second.weight;
  };
  for (const auto& one : other.numbers_) join(numbers_, one);
  for (const auto& one : other.texts_) join(texts_, one);
  if (other.rows_ > 0) type_ = other.type_;
  rows_ += other.rows_;
}

void ClassLearner::write(StateWriter& out) const {
  const auto put = [&](const Tally& tally) {
    out.put(tally.weight.hi);
    out.put(tally.weight.lo);
    out.put(tally.rows);
  };
  out.put(static_cast<Index>(type_));
  out.put(rows_);
  out.put(std::ssize(numbers_));
  for (const auto& [value, tally] : numbers_) out.put(value), put(tally);
  const std::map<std::string, Tally> sorted(texts_.begin(), texts_.end()); // the same bytes however they came
  out.put(std::ssize(sorted));
  for (const auto& [label, tally] : sorted) out.put(std::string_view(label)), put(tally);
}

void ClassLearner::read(StateReader& in) {
  const auto tally = [&]() -> Tally {
    const double high = in.number(), low = in.number();
    return {{high, low}, in.index()};
  };
  const Index type = in.index();
  in.require(type >= 0 && type <= static_cast<Index>(ColumnType::text));
  type_ = in.good() ? static_cast<ColumnType>(type) : ColumnType::integer;
  rows_ = in.index();
  for (Index left = in.index(); in.good() && left > 0; --left) {
    const double value = in.number();
    numbers_[value] = tally();
  }
  for (Index left = in.index(); in.good() && left > 0; --left) {
    std::string label(in.text());
    texts_[std::move(label)] = tally();
  }
}

void ClassLearner::accumulate(const Column& column, std::span<const double> weights) {
  type_ = column.numeric() ? column.type : ColumnType::category;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (column.numeric()) {
      if (std::isnan(column.values[i])) continue;
      add(column.values[i], weights[i]);
    } else if (column.type == ColumnType::category) {
      if (column.codes[i] < 0) continue;
      add(column.levels[at(column.codes[i])], weights[i]);
    } else if (!column.levels[i].empty()) {
      add(column.levels[i], weights[i]);
    }
    rows_ += weights[i] > 0 ? 1 : 0;
  }
}

// Places and small codes, without weights, are counted before they are looked up.
void ClassLearner::accumulate(const MatrixView& y, const double* weights) {
  constexpr std::size_t kSmall = 64, kTallies = 4; // rows in turn, which do not wait for the count of the row before
  std::array<std::array<Index, kSmall>, kTallies> tallies{};
  for (Index i = 0; i < y.rows; ++i) {
    const double value = element(y, i, 0);
    if (!weights && value >= 0 && value < static_cast<double>(kSmall) &&
        static_cast<double>(static_cast<std::int32_t>(value)) == value) {
      ++tallies[at(i) % kTallies][static_cast<std::size_t>(value)];
      continue;
    }
    if (!std::isfinite(value)) continue; // refused, with its row, when the rows are read
    if (value != std::floor(value)) type_ = ColumnType::real;
    const double weight = weights ? weights[i] : 1;
    add(value, weight);
    rows_ += weight > 0 ? 1 : 0;
  }
  for (std::size_t label = 0; label < kSmall; ++label) {
    Index rows = 0;
    for (const auto& tally : tallies) rows += tally[label];
    if (rows == 0) continue;
    Tally& seen = numbers_[static_cast<double>(label)];
    seen.rows += rows;
    seen.weight += DoubleDouble(static_cast<double>(rows));
    rows_ += rows;
  }
}

Result<void> ClassLearner::check_count(Index count, const std::string& where) const {
  const bool fractions =
      std::ranges::any_of(numbers_, [](const auto& number) { return number.first != std::floor(number.first); });
  const bool too_many = count > kMostClasses || (count > kMostFractions && (fractions || 2 * count > rows_));
  if (!too_many) return {};
  const std::string count_text =
      count > kMostClasses ? fmt::format("more than {}", kMostClasses) : std::to_string(count);
  return fail(ErrorCode::bad_data, where,
              fmt::format("it has {} different values in {} rows, and a classifier needs classes", count_text, rows_),
              numbers_.empty() ? "name the column that holds the classes"
                               : "to predict a number fit a regression, such as linear");
}

Result<Classes> ClassLearner::finish(const FitOptions& options, const std::string& source,
                                     const std::string& target) const {
  const std::string where = fmt::format("{}, target {}", source, target);
  std::vector<std::pair<std::string, Tally>> all(texts_.begin(), texts_.end());
  for (const auto& [value, tally] : numbers_) all.emplace_back(number_text(value), tally);
  if (auto good = check_count(std::ssize(all), where); !good) return std::unexpected(good.error());
  std::ranges::sort(all, [](const auto& a, const auto& b) { return level_less(a.first, b.first); });
  Classes classes;
  classes.type = type_;
  std::vector<std::string> removed;
  for (const auto& [label, tally] : all) {
    if (!(tally.weight.hi > 0)) {
      removed.push_back(fmt::format("\"{}\"", label));
      continue;
    }
    classes.labels.push_back(label);
    classes.weight.push_back(tally.weight.hi);
  }
  if (classes.labels.size() < 2) {
    const std::string finding =
        classes.labels.empty() ? "no row has a class" : fmt::format("every row is \"{}\"", classes.labels[0]);
    return fail(ErrorCode::bad_data, where,
                removed.empty() ? finding
                                : fmt::format("{} where the weight is not zero: {} {} only in rows of weight 0",
                                              finding, first_labels(removed), removed.size() == 1 ? "is" : "are"),
                "a classifier needs rows of at least two classes");
  }
  if (!options.positive.empty()) {
    const auto positive = named_class(classes, options.positive, "positive");
    if (!positive) return std::unexpected(positive.error());
    if (classes.count() > 2)
      classes = against_rest(classes, *positive);
    else
      classes.positive = *positive;
  }
  if (auto done = weigh_classes(options, classes); !done) return std::unexpected(done.error());
  return classes;
}

Result<Index> named_class(const Classes& classes, const std::string& label, const std::string& where) {
  const auto label_found = std::ranges::find(classes.labels, label);
  if (label_found != classes.labels.end()) return label_found - classes.labels.begin();
  const std::string near = nearest(label, classes.labels);
  return fail(ErrorCode::usage, where, fmt::format("there is no class \"{}\"", label),
              near.empty() ? "the classes are " + first_labels(classes.labels)
                           : fmt::format("did you mean \"{}\"?", near));
}

Result<void> weigh_classes(const FitOptions& options, Classes& classes) {
  if (!options.balanced && options.class_weights.empty()) return {};
  if (options.balanced && !options.class_weights.empty())
    return fail(ErrorCode::usage, "class weights", "they are balanced, and factors were given too", "give one of them");
  classes.factor.assign(classes.weight.size(), 1.0);
  double total = 0;
  for (const double weight : classes.weight) total += weight;
  for (std::size_t k = 0; options.balanced && k < classes.factor.size(); ++k)
    classes.factor[k] = total / (static_cast<double>(classes.count()) * classes.weight[k]);
  for (const auto& [label, factor] : options.class_weights) {
    const auto place = named_class(classes, label, "class weights");
    if (!place) return std::unexpected(place.error());
    if (!(factor > 0 && std::isfinite(factor)))
      return fail(ErrorCode::usage, "class weights", fmt::format("the factor of class \"{}\" is {}", label, factor),
                  "a factor is above 0; a class is left out by leaving out its rows");
    classes.factor[at(*place)] = factor;
  }
  for (std::size_t k = 0; k < classes.factor.size(); ++k) classes.weight[k] *= classes.factor[k];
  return {};
}

ClassFinder::ClassFinder(const Classes& classes) {
  const auto add = [&](const std::string& label, Index place, bool of_rows) {
    texts_.emplace(label, place);
    const Number number = parse_number(label);
    if (number.status == NumberStatus::ok) numbers_.emplace_back(number.value, place);
    if (of_rows && number.status != NumberStatus::ok) only_numbers_ = false;
  };
  for (Index k = 0; k < classes.count(); ++k)
    add(classes.labels[at(k)], k, classes.rest.empty() || k == classes.positive);
  for (const std::string& label : classes.rest) add(label, 1 - classes.positive, true);
  std::ranges::sort(numbers_);
}

Index ClassFinder::place(double value) const {
  if (std::isnan(value)) return kNoLabel;
  const auto entry = std::ranges::lower_bound(numbers_, value, {}, &std::pair<double, Index>::first);
  return entry != numbers_.end() && entry->first == value ? entry->second : kUnknownLabel;
}

Index ClassFinder::place(std::string_view label) const {
  if (label.empty()) return kNoLabel;
  if (const auto entry = texts_.find(std::string(label)); entry != texts_.end()) return entry->second;
  const Number number = parse_number(label); // "1.0" is the class 1 of a file that holds numbers
  return number.status == NumberStatus::ok && only_numbers_ ? place(number.value) : kUnknownLabel;
}

std::vector<std::int32_t> ClassFinder::places(const std::vector<std::string>& labels) const {
  std::vector<std::int32_t> out;
  out.reserve(labels.size());
  for (const std::string& label : labels) out.push_back(static_cast<std::int32_t>(place(label)));
  return out;
}

Index ClassFinder::place(const Column& column, const std::vector<std::int32_t>& levels, Index i) const {
  if (column.numeric()) return place(column.values[at(i)]);
  if (column.type == ColumnType::text) return place(column.levels[at(i)]);
  const std::int32_t code = column.codes[at(i)];
  return code < 0 ? kNoLabel : levels[at(code)];
}

std::string label_text(const Column& column, Index i) {
  if (column.numeric()) return number_text(column.values[at(i)]);
  if (column.type == ColumnType::text) return column.levels[at(i)];
  return column.codes[at(i)] < 0 ? "" : column.levels[at(column.codes[at(i)])];
}

Error unknown_label(const Classes& classes, const std::string& where, const std::string& label) {
  std::vector<std::string> labels = classes.rest.empty() ? classes.labels : classes.rest;
  if (!classes.rest.empty()) labels.push_back(label_against_rest(classes));
  std::ranges::sort(labels, level_less);
  const std::string near = nearest(label, labels);
  return {ErrorCode::bad_data, where, fmt::format("the class \"{}\" was not seen in training", label),
          near.empty() ? "the classes are " + first_labels(labels) : fmt::format("is it \"{}\"?", near)};
}

} // namespace recta::feature
