#include "feature/map/maps.hpp"

#include "feature/map/call.hpp"
#include "feature/map/components.hpp"
#include "feature/map/kernel_map.hpp"
#include "feature/map/poly.hpp"
#include "feature/map/spline.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <unordered_map>

namespace recta::feature {
namespace {

constexpr double kHarmonics = 1;           // if none are named
constexpr std::size_t kLongestName = 1000; // of a column that a map reads: names of features repeat it

class PolyMap final : public Map {
public:
  explicit PolyMap(Poly poly) : poly_(std::move(poly)) {}
  Index count() const override { return poly_.count(); }
  std::string name(Index k) const override { return poly_.name(k); }
  std::vector<std::vector<Index>> kin() const override { return poly_.kin(); }
  bool has_low() const override { return poly_.has_low(); }
  MapOutcome evaluate(const MapRows& rows, double* high, double* low) const override {
    return poly_.evaluate(rows, high, low);
  }

private:
  Poly poly_;
};

// A list of expressions over the same columns, named after themselves or after the call that made them.
class ExpressionMap final : public Map {
public:
  ExpressionMap(std::vector<Expression> expressions, std::vector<std::string> columns, std::string call = {})
      : expressions_(std::move(expressions)), columns_(std::move(columns)), call_(std::move(call)) {}
  Index count() const override { return static_cast<Index>(expressions_.size()); }
  std::string name(Index k) const override {
    return call_.empty() ? expressions_[static_cast<std::size_t>(k)].text() : fmt::format("{}[{}]", call_, k + 1);
  }
  bool has_low() const override {
    return std::ranges::any_of(expressions_, [](const Expression& e) { return e.has_low(); });
  }
  MapOutcome evaluate(const MapRows& rows, double* high, double* low) const override {
    for (std::size_t k = 0; k < expressions_.size(); ++k) {
      const Expression& one = expressions_[k];
      MapRows own{{}, rows.count, rows.present};
      for (const std::string& column : one.columns())
        own.inputs.push_back(
            rows.inputs[static_cast<std::size_t>(std::ranges::find(columns_, column) - columns_.begin())]);
      const Index at = static_cast<Index>(k) * rows.count;
      double* own_low = low && one.has_low() ? low + at : nullptr;
      if (low && !own_low) std::fill_n(low + at, rows.count, 0.0);
      if (auto done = one.evaluate(own, high + at, own_low); !done) return done;
    }
    return {};
  }

private:
  std::vector<Expression> expressions_;
  std::vector<std::string> columns_; // in the order of the inputs
  std::string call_;
};

class SplineMap final : public Map {
public:
  SplineMap(Spline spline, SplineShape shape, std::string call, std::string column)
      : spline_(std::move(spline)), shape_(shape), call_(std::move(call)), column_(std::move(column)) {}
  Index count() const override { return spline_.count(); }
  std::string name(Index k) const override { return fmt::format("{}[{}]", call_, k + 1); }
  bool has_low() const override { return false; }
  MapOutcome evaluate(const MapRows& rows, double* high, double* low) const override {
    std::vector<double> values;
    for (Index i = 0; i < rows.count; ++i) {
      const double x = rows.inputs[0][i];
      const bool absent = rows.absent(i);
      if (!absent && shape_.outside == Outside::error && !spline_.inside(x))
        return std::unexpected(MapFault{i, column_,
                                        fmt::format("{} lies outside the knots, {} to {}", number_text(x),
                                                    number_text(spline_.first()), number_text(spline_.last())),
                                        "give knots that reach further, or outside=constant"});
      spline_.values(absent ? spline_.first() : x, values);
      for (Index k = 0; k < count(); ++k) {
        const double value = absent ? 0 : values[static_cast<std::size_t>(k)];
        if (!(value - value == 0))
          return std::unexpected(MapFault{i, column_, fmt::format("{} is too far from the knots", number_text(x)),
                                          "leave the row out, or pass outside=constant"});
        high[k * rows.count + i] = value;
      }
    }
    if (low) std::fill_n(low, count() * rows.count, 0.0);
    return {};
  }

private:
  Spline spline_;
  SplineShape shape_;
  std::string call_, column_;
};

PolyTerms terms_of(const Call& call) {
  const std::string word = call.option("terms", "all");
  return word == "all" ? PolyTerms::all : word == "powers" ? PolyTerms::powers : PolyTerms::interactions;
}

SplineShape shape_of(const Call& call) {
  const std::string outside = call.option("outside", "constant");
  SplineShape shape;
  shape.degree = static_cast<Index>(call.number_option("degree", 3));
  shape.outside = outside == "constant"   ? Outside::constant
                  : outside == "linear"   ? Outside::linear
                  : outside == "continue" ? Outside::proceed
                                          : Outside::error;
  shape.bias = call.option("bias", "no") == "yes";
  return shape;
}

Index list_size(const Call& call) {
  return call.list ? static_cast<Index>(call.list->size()) : static_cast<Index>(call.numbers.at(0));
}

Index count_of(const Call& call) {
  if (call.word == "poly")
    return Poly::count(static_cast<Index>(call.columns.size()), static_cast<Index>(call.numbers.at(0)), terms_of(call));
  if (call.word == "spline") {
    const SplineShape shape = shape_of(call);
    return list_size(call) + shape.degree - 1 - (shape.bias ? 0 : 1);
  }
  if (call.word == "radial") return list_size(call);
  if (call.word == "ring") return 3;
  if (call.word == "components" || is_kernel_map(call)) return static_cast<Index>(call.numbers.at(0));
  return 2 * static_cast<Index>(call.numbers.size() > 1 ? call.numbers[1] : kHarmonics);
}

// Ring, fourier and radial are expressions written for the user.
std::vector<std::string> written_out(const Call& call, const std::vector<double>& learned) {
  std::vector<std::string> texts;
  const std::string x = quoted_name(call.columns[0]);
  if (call.word == "ring") {
    const std::string y = quoted_name(call.columns[1]);
    return {x + "^2", y + "^2", fmt::format("sqrt(2)*{}*{}", x, y)};
  }
  if (call.word == "fourier") {
    const std::string period = number_text(call.numbers[0]);
    for (Index h = 1; 2 * h <= count_of(call); ++h) {
      const std::string of = h == 1 ? x : fmt::format("{}*{}", h, x);
      texts.push_back(fmt::format("sin({}, {})", of, period));
      texts.push_back(fmt::format("cos({}, {})", of, period));
    }
    return texts;
  }
  const std::vector<double>& centres = call.list ? *call.list : learned;
  const double spread = (centres.back() - centres.front()) / std::max(1.0, static_cast<double>(centres.size() - 1));
  const double width = call.number_option("width", spread);
  for (const double centre : centres)
    texts.push_back(fmt::format("exp(-(({} - {})/{})^2/2)", x,
                                centre < 0 ? "(" + number_text(centre) + ")" : number_text(centre),
                                number_text(width)));
  return texts;
}

Result<std::shared_ptr<const Map>> make_call(const Call& call, const std::vector<double>& learned) {
  if (call.word == "poly")
    return std::make_shared<PolyMap>(Poly(call.columns, static_cast<Index>(call.numbers[0]), terms_of(call)));
  if (call.word == "spline") {
    const SplineShape shape = shape_of(call);
    return std::make_shared<SplineMap>(Spline(call.list ? *call.list : learned, shape), shape, call.text(),
                                       call.columns[0]);
  }
  if (call.word == "components") return std::make_shared<Components>(call.columns.size(), learned);
  if (is_kernel_map(call)) return make_kernel_map(call, learned);
  std::vector<Expression> expressions;
  for (const std::string& text : written_out(call, learned)) {
    auto one = Expression::parse(text);
    if (!one) return std::unexpected(one.error());
    expressions.push_back(*std::move(one));
  }
  return std::make_shared<ExpressionMap>(std::move(expressions), call.columns,
                                         call.word == "radial" ? call.text() : "");
}

Result<void> check_call(const Call& call, const std::string& text, Index count) {
  if (count > Poly::kMost)
    return map_fault(text, 0, fmt::format("it makes more than {} features", Poly::kMost),
                     "lower the degree, name fewer columns, or pass terms=powers");
  if (count < 1) return map_fault(text, 0, "it makes no feature", "raise the degree, or pass bias=yes");
  if (call.word == "radial" && call.list && call.list->size() == 1 && !call.options.contains("width"))
    return map_fault(text, 0, "one centre has no distance to the next, so the width is unknown", "pass width=NUMBER");
  return {};
}

Index numbers_given(const Call& call) {
  if (call.word == "components") return Components::numbers(std::ssize(call.columns), count_of(call));
  return is_kernel_map(call) ? kernel_map_numbers(call) : 0;
}

} // namespace

std::vector<double> evenly(double least, double largest, Index count) {
  std::vector<double> all;
  for (Index k = 0; k < count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(count - 1);
    all.push_back(k + 1 == count ? largest : least + (largest - least) * share);
  }
  return all;
}

Result<MapText> read_map(const std::string& text) {
  const auto call = parse_call(text);
  if (!call) return std::unexpected(call.error());
  if (*call) {
    const Index count = count_of(**call);
    if (auto good = check_call(**call, text, count); !good) return std::unexpected(good.error());
    const bool learns = ((*call)->word == "spline" || (*call)->word == "radial") && !(*call)->list;
    return MapText{(*call)->text(), (*call)->columns, count, learns ? list_size(**call) : 0, numbers_given(**call)};
  }
  const auto expression = Expression::parse(text);
  if (!expression) return std::unexpected(expression.error());
  if (expression->columns().empty())
    return map_fault(text, 0, "it names no column", "a constant is fitted as the intercept");
  return MapText{expression->text(), expression->columns(), 1};
}

Result<Maps> Maps::make(const Schema& schema) {
  Maps made;
  if (schema.maps.empty()) return made;
  made.reads_.assign(schema.columns.size(), false);
  std::unordered_map<std::string_view, std::size_t> where;
  for (std::size_t c = 0; c < schema.columns.size(); ++c) where.emplace(schema.columns[c].name, c);
  for (const FeatureMap& map : schema.maps) {
    const auto text = read_map(map.text);
    if (!text) return std::unexpected(text.error());
    Part part{nullptr, {}, made.count_};
    for (const std::string& column : text->columns) {
      const auto found = where.find(column);
      if (found == where.end() || schema.columns[found->second].type == ColumnType::category ||
          schema.columns[found->second].type == ColumnType::text)
        return map_fault(map.text, 0, fmt::format("the schema has no numbers called \"{}\"", column), "");
      if (column.size() > kLongestName)
        return map_fault(map.text, 0, fmt::format("a column's name is longer than {} bytes", kLongestName),
                         "rename the column");
      part.columns.push_back(found->second);
      made.reads_[found->second] = true;
    }
    const bool ascends = std::ranges::adjacent_find(map.learned, std::ranges::greater_equal{}) == map.learned.end();
    const bool finite = std::ranges::all_of(map.learned, [](double x) { return std::isfinite(x); });
    if (static_cast<Index>(map.learned.size()) != text->learned + text->given || !(ascends || text->given > 0) ||
        !finite)
      return map_fault(map.text, 0, "what it learned does not fit it", "");
    const auto call = parse_call(map.text);
    if (call->has_value()) {
      auto one = make_call(**call, map.learned);
      if (!one) return std::unexpected(one.error());
      part.map = *std::move(one);
    } else {
      part.map = std::make_shared<ExpressionMap>(std::vector{Expression::parse(map.text).value()}, text->columns);
    }
    made.count_ += part.map->count();
    made.has_low_ |= part.map->has_low();
    made.parts_.push_back(std::move(part));
  }
  return made;
}

std::vector<std::vector<Index>> Map::kin() const {
  std::vector<Index> all(static_cast<std::size_t>(count()));
  std::iota(all.begin(), all.end(), Index{0});
  return {all};
}

std::vector<std::vector<Index>> Maps::kin() const {
  std::vector<std::vector<Index>> groups;
  for (const Part& part : parts_)
    for (std::vector<Index>& group : part.map->kin()) {
      for (Index& k : group) k += part.first;
      groups.push_back(std::move(group));
    }
  return groups;
}

std::string Maps::name(Index k) const {
  const auto after = std::ranges::upper_bound(parts_, k, {}, &Part::first);
  const Part& part = *(after - 1);
  return part.map->name(k - part.first);
}

MapOutcome Maps::evaluate(const MapRows& rows, double* high, double* low) const {
  for (const Part& part : parts_) {
    MapRows own{{}, rows.count, rows.present};
    for (const std::size_t c : part.columns) own.inputs.push_back(rows.inputs[c]);
    const Index at = part.first * rows.count;
    if (auto done = part.map->evaluate(own, high + at, low ? low + at : nullptr); !done) return done;
  }
  return {};
}

} // namespace recta::feature
