// random_fourier([COL, ...,] COUNT [, gamma=NUMBER] [, seed=0])
//
// Random Fourier features (Rahimi and Recht, 2007): sqrt(2/m) cos(<w_k, x> + b_k), w_k normal with variance 2 gamma.
#include "base/random.hpp"
#include "base/simd/kernels.hpp"
#include "feature/map/kernel_call.hpp"
#include "kernel/points.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace recta::feature::random_fourier {
namespace {

// cos(z + shift), in place.
void wave(double* z, const double* shift, Index count) {
  constexpr double kNear = 0x1p20; // what the fast cosine takes
  std::vector<double> moved(z, z + count);
  for (Index k = 0; k < count; ++k) moved[at(k)] += shift[k];
  simd::kernels().cosines(count, moved.data(), z);
  for (Index k = 0; k < count; ++k)
    if (!(std::abs(moved[at(k)]) <= kNear)) z[k] = std::cos(moved[at(k)]);
}

class FourierMap final : public Map {
public:
  FourierMap(const Call& call, const std::vector<double>& learned)
      : text_(short_text(call)), columns_(std::ssize(call.columns)), count_(static_cast<Index>(call.numbers.at(0))),
        directions_(columns_), dot_(kernel::make_kernel({})) {
    const double* const numbers = learned.data() + 1;
    for (Index k = 0; k < count_; ++k) directions_.add(numbers + k * columns_);
    shift_.assign(numbers + count_ * columns_, numbers + count_ * (columns_ + 1));
  }
  Index count() const override { return count_; }
  std::string name(Index k) const override { return fmt::format("{}[{}]", text_, k + 1); }
  bool has_low() const override { return false; }
  MapOutcome evaluate(const MapRows& rows, double* high, double* low) const override {
    const double scale = std::sqrt(2 / static_cast<double>(count_));
    std::vector<double> z(at(kTile * count_));
    RowTiles(rows, columns_).each([&](Index first, Index held, const double* x) {
      directions_.values(*dot_, {x, at(held * columns_)}, held, z.data(), count_);
      for (Index i = 0; i < held; ++i) wave(z.data() + i * count_, shift_.data(), count_);
      for (Index k = 0; k < count_; ++k)
        for (Index i = 0; i < held; ++i)
          high[k * rows.count + first + i] = rows.absent(first + i) ? 0 : scale * z[at(i * count_ + k)];
    });
    if (low) std::fill_n(low, count_ * rows.count, 0.0);
    return {};
  }

private:
  std::string text_;
  Index columns_, count_;
  kernel::Points directions_;
  std::unique_ptr<const kernel::Kernel> dot_;
  std::vector<double> shift_;
};

class RandomFourierLeaf final : public Leaf {
public:
  RandomFourierLeaf()
      : Leaf({"random_fourier",
              0,
              kAnyColumns,
              {{"the number of features", 1, 100000, true}},
              1,
              0,
              {{"gamma", {}, {"gamma", 1e-300, 1e300, false}}, {"seed", {}, {"the seed", 0, 9007199254740992, true}}},
              "random_fourier(500) or random_fourier(x, y, 500, gamma=0.1)"}) {}

  Index count(const Call& call) const override { return static_cast<Index>(call.numbers.at(0)); }
  Index given(const Call& call) const override { return 1 + count(call) * (std::ssize(call.columns) + 1); }
  Result<std::shared_ptr<const Map>> make(const Call& call, const std::vector<double>& learned) const override {
    return std::make_shared<FourierMap>(call, learned);
  }
  bool learns() const override { return true; }
  Result<void> learn(FeatureMap& map, Call call, const LearningRows& from) const override {
    const Index p = std::ssize(call.columns), m = count(call);
    Sample sample(1, p, seed_of(call));
    if (auto done = sample.gather(from); !done) return done;
    const double gamma = call.number_option("gamma", sample.gamma()), width = std::sqrt(2 * gamma);
    map.learned = {gamma};
    Random random(seed_of(call));
    for (Index k = 0; k < m * p; ++k) map.learned.push_back(width * random.normal());
    for (Index k = 0; k < m; ++k) map.learned.push_back(2 * std::numbers::pi * random.uniform());
    return {};
  }
  std::string note(const Call& call, const std::vector<double>& learned) const override {
    return fmt::format("{} random features stand for the kernel {}, near it on average and without a bound",
                       count(call), kernel_text(call, learned[0]));
  }
};

} // namespace

std::unique_ptr<const Leaf> make_leaf() {
  return std::make_unique<RandomFourierLeaf>();
}

} // namespace recta::feature::random_fourier
