#include "feature/map/nystrom/nystrom.hpp"

#include "base/simd/kernels.hpp"
#include "kernel/points.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace recta::feature::nystrom {
namespace {

class NystromMap final : public Map {
public:
  NystromMap(const Call& call, const std::vector<double>& learned)
      : text_(short_text(call)), columns_(std::ssize(call.columns)), count_(static_cast<Index>(call.numbers.at(0))),
        stride_((count_ + simd::kLanes - 1) / simd::kLanes * simd::kLanes) {
    kernel::Settings settings = kernel_of(call);
    settings.gamma = learned[0];
    kernel_ = kernel::make_kernel(settings);
    const double *const centre = learned.data() + 2, *const landmarks = centre + columns_,
                        *const root = landmarks + count_ * columns_;
    std::vector<double> moved(centre, landmarks);
    if (!kernel_->centred()) moved.clear();
    landmarks_ = kernel::Points(columns_, false, std::move(moved));
    for (Index k = 0; k < count_; ++k) landmarks_.add(landmarks + k * columns_);
    for (Index first = 0; first < count_; first += simd::kLanes) {
      const Index width = std::min(count_, first + simd::kLanes);
      for (Index j = 0; j < width; ++j)
        for (Index k = first; k < first + simd::kLanes; ++k) root_.push_back(k < count_ ? root[k * count_ + j] : 0);
    }
  }
  Index count() const override { return count_; }
  std::string name(Index k) const override { return fmt::format("{}[{}]", text_, k + 1); }
  bool has_low() const override { return false; }
  MapOutcome evaluate(const MapRows& rows, double* high, double* low) const override {
    std::vector<double> k(at(kTile * count_)), z(at(kTile * stride_)), about(at(kTile * columns_));
    const std::vector<double>& centre = landmarks_.centre();
    std::optional<MapFault> fault; // the first one
    RowTiles(rows, columns_).each([&](Index first, Index held, const double* x) {
      if (fault) return;
      for (Index i = 0; i < held * columns_; ++i) about[at(i)] = x[i] - (centre.empty() ? 0 : centre[at(i % columns_)]);
      landmarks_.values(*kernel_, {about.data(), at(held * columns_)}, held, k.data(), count_);
      times_root(held, k.data(), z.data());
      for (Index i = 0; i < held && !fault; ++i) {
        double* const row = z.data() + i * stride_;
        if (rows.absent(first + i)) std::fill_n(row, count_, 0.0);
        const double* const odd = std::find_if(row, row + count_, [](double value) { return !(value - value == 0); });
        if (odd != row + count_)
          fault = {first + i, name(odd - row), "its kernel is not a finite number there", "leave the row out"};
      }
      for (Index c = 0; c < count_; ++c)
        for (Index i = 0; i < held; ++i) high[c * rows.count + first + i] = z[at(i * stride_ + c)];
    });
    if (fault) return std::unexpected(*std::move(fault));
    if (low) std::fill_n(low, count_ * rows.count, 0.0);
    return {};
  }

private:
  // z = L^-1 k of some rows. Row r of the factor ends at its diagonal. A few rows and columns of k stay in the fastest
  // cache while all panels pass; every number is the sum over such columns, in their order.
  void times_root(Index rows, const double* k, double* z) const {
    constexpr Index kRows = 16, kDeep = 256;
    double part[kRows * simd::kLanes];
    std::fill_n(z, rows * stride_, 0.0);
    for (Index i = 0; i < rows; i += kRows)
      for (Index from = 0; from < count_; from += kDeep) {
        const double* panel = root_.data();
        for (Index first = 0; first < count_; first += simd::kLanes) {
          const Index width = std::min(count_, first + simd::kLanes), deep = std::min(kDeep, width - from);
          if (deep > 0)
            add_products(std::min(kRows, rows - i), deep, k + i * count_ + from, panel + from * simd::kLanes, part,
                         z + i * stride_ + first);
          panel += width * simd::kLanes;
        }
      }
  }
  void add_products(Index rows, Index deep, const double* k, const double* panel, double* part, double* z) const {
    simd::kernels().panel_products({k, rows, deep, count_}, panel, {part, simd::kLanes});
    for (Index i = 0; i < rows; ++i)
      for (Index lane = 0; lane < simd::kLanes; ++lane) z[i * stride_ + lane] += part[i * simd::kLanes + lane];
  }

  std::string text_;
  Index columns_, count_, stride_; // stride: of z, whole panels
  std::unique_ptr<const kernel::Kernel> kernel_;
  kernel::Points landmarks_;
  std::vector<double> root_; // eight rows of L^-1 side by side, up to the last diagonal of them
};

class NystromLeaf final : public Leaf {
public:
  NystromLeaf()
      : Leaf({"nystrom",
              0,
              kAnyColumns,
              {{"the number of landmarks", 1, 10000, true}},
              1,
              0,
              {{"kernel", {"rbf", "laplacian", "polynomial", "chi2", "linear"}, {}},
               {"gamma", {}, {"gamma", 1e-300, 1e300, false}},
               {"degree", {}, {"the degree", 1, 100, true}},
               {"coef", {}, {"the constant", 0, 1e300, false}},
               {"seed", {}, {"the seed", 0, 9007199254740992, true}}},
              "nystrom(500), nystrom(x, y, 500, gamma=0.1) or nystrom(500, kernel=polynomial, degree=2, coef=1)"}) {}

  Index count(const Call& call) const override { return static_cast<Index>(call.numbers.at(0)); }
  Index given(const Call& call) const override {
    const Index p = std::ssize(call.columns), m = count(call);
    return 2 + p + m * p + m * m;
  }
  Result<std::shared_ptr<const Map>> make(const Call& call, const std::vector<double>& learned) const override {
    return make_map(call, learned);
  }
  bool learns() const override { return true; }
  Result<void> learn(FeatureMap& map, Call call, const LearningRows& from) const override {
    return learn_landmarks(map, std::move(call), from);
  }
  Result<std::vector<std::string>> differences(const FeatureMap& stated, const Call& call,
                                               const LearningRows& from) const override {
    return landmark_differences(stated, call, from);
  }
  std::string note(const Call& call, const std::vector<double>& learned) const override {
    return fmt::format("{} landmarks stand for the kernel {}: the trace error of its matrix over all rows is {:.3g} %",
                       count(call), kernel_text(call, learned[0]), 100 * (1 - learned[1]));
  }
};

} // namespace

std::vector<double> Landmarks::numbers() const {
  std::vector<double> out{gamma, kept};
  for (const auto* part : {&centre, &landmarks, &root}) out.insert(out.end(), part->begin(), part->end());
  return out;
}

std::shared_ptr<const Map> make_map(const Call& call, const std::vector<double>& learned) {
  return std::make_shared<NystromMap>(call, learned);
}

std::unique_ptr<const Leaf> make_leaf() {
  return std::make_unique<NystromLeaf>();
}

} // namespace recta::feature::nystrom
