// fourier(x, PERIOD, HARMONICS): sines and cosines of whole multiples of x.
#include "feature/map/expression_map.hpp"
#include "feature/map/leaf.hpp"

#include <fmt/format.h>

namespace recta::feature::fourier {
namespace {

constexpr double kHarmonics = 1; // if none are named

class FourierLeaf final : public Leaf {
public:
  FourierLeaf()
      : Leaf({"fourier",
              1,
              1,
              {{"the period", 1e-300, 1e300, false}, {"the number of harmonics", 1, 10000, true}},
              1,
              0,
              {},
              "fourier(month, 12) or fourier(month, 12, 2)"}) {}

  Index count(const Call& call) const override {
    return 2 * static_cast<Index>(call.numbers.size() > 1 ? call.numbers[1] : kHarmonics);
  }
  Result<std::shared_ptr<const Map>> make(const Call& call, const std::vector<double>&) const override {
    const std::string x = quoted_name(call.columns[0]), period = number_text(call.numbers[0]);
    std::vector<std::string> texts;
    for (Index h = 1; 2 * h <= count(call); ++h) {
      const std::string of = h == 1 ? x : fmt::format("{}*{}", h, x);
      texts.push_back(fmt::format("sin({}, {})", of, period));
      texts.push_back(fmt::format("cos({}, {})", of, period));
    }
    return expressions_of(texts, call.columns);
  }
};

} // namespace

std::unique_ptr<const Leaf> make_leaf() {
  return std::make_unique<FourierLeaf>();
}

} // namespace recta::feature::fourier
