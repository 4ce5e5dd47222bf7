#include "feature/map/leaf.hpp"
#include "feature/map/spline/spline.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::feature::spline {
namespace {

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

class SplineLeaf final : public Leaf {
public:
  SplineLeaf()
      : Leaf({"spline",
              1,
              1,
              {{"the number of knots", 2, 10000, true}},
              1,
              2,
              {{"degree", {}, {"the degree", 0, 20, true}},
               {"outside", {"constant", "linear", "continue", "error"}, {}},
               {"bias", {"no", "yes"}, {}}},
              "spline(x, 5) or spline(x, [0, 1, 5], degree=3)"}) {}

  Index count(const Call& call) const override {
    const SplineShape shape = shape_of(call);
    return call.listed() + shape.degree - 1 - (shape.bias ? 0 : 1);
  }
  Index spaced(const Call& call) const override { return call.list ? 0 : call.listed(); }
  Result<std::shared_ptr<const Map>> make(const Call& call, const std::vector<double>& learned) const override {
    const SplineShape shape = shape_of(call);
    return std::make_shared<SplineMap>(Spline(call.list ? *call.list : learned, shape), shape, call.text(),
                                       call.columns[0]);
  }
};

} // namespace

std::unique_ptr<const Leaf> make_leaf() {
  return std::make_unique<SplineLeaf>();
}

} // namespace recta::feature::spline
