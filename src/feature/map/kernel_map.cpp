#include "feature/map/kernel_map.hpp"

#include "base/numbers.hpp"
#include "base/random.hpp"
#include "base/simd/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace recta::feature {
namespace {

constexpr Index kTile = 64; // rows that are written out together

Index columns_of(const Call& call) {
  return std::ssize(call.columns);
}
Index made_by(const Call& call) {
  return static_cast<Index>(call.numbers.at(0));
}

// The call without its columns, which may be hundreds: names of features repeat it.
std::string short_text(Call call) {
  call.columns.clear();
  return call.text();
}

// Rows of a block of columns, some at a time and written out by row, each with `out` numbers to be made of it.
class RowTiles {
public:
  RowTiles(const MapRows& rows, Index columns) : rows_(rows), columns_(columns), x_(at(kTile * columns)) {}

  template <class Use>
  void each(const Use& use) {
    for (Index first = 0; first < rows_.count; first += kTile) {
      const Index held = std::min(kTile, rows_.count - first);
      for (Index j = 0; j < columns_; ++j)
        for (Index i = 0; i < held; ++i)
          x_[at(i * columns_ + j)] = rows_.absent(first + i) ? 0 : rows_.inputs[at(j)][first + i];
      use(first, held, x_.data());
    }
  }

private:
  const MapRows& rows_;
  Index columns_;
  std::vector<double> x_;
};

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
      : text_(short_text(call)), columns_(columns_of(call)), count_(made_by(call)), directions_(columns_),
        dot_(kernel::make_kernel({})) {
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

class NystromMap final : public Map {
public:
  NystromMap(const Call& call, const std::vector<double>& learned)
      : text_(short_text(call)), columns_(columns_of(call)), count_(made_by(call)),
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
    RowTiles(rows, columns_).each([&](Index first, Index held, const double* x) {
      for (Index i = 0; i < held * columns_; ++i) about[at(i)] = x[i] - (centre.empty() ? 0 : centre[at(i % columns_)]);
      landmarks_.values(*kernel_, {about.data(), at(held * columns_)}, held, k.data(), count_);
      times_root(held, k.data(), z.data());
      for (Index c = 0; c < count_; ++c)
        for (Index i = 0; i < held; ++i)
          high[c * rows.count + first + i] = rows.absent(first + i) ? 0 : z[at(i * stride_ + c)];
    });
    for (Index i = 0; i < rows.count; ++i)
      for (Index c = 0; c < count_; ++c)
        if (const double value = high[c * rows.count + i]; !(value - value == 0))
          return std::unexpected(MapFault{i, name(c), "its kernel is no finite number there", "leave the row out"});
    if (low) std::fill_n(low, count_ * rows.count, 0.0);
    return {};
  }

private:
  // z = L^-1 k of some rows. Row r of the factor ends at its diagonal.
  void times_root(Index rows, const double* k, double* z) const {
    const double* panel = root_.data();
    for (Index first = 0; first < count_; first += simd::kLanes) {
      const Index width = std::min(count_, first + simd::kLanes);
      simd::kernels().panel_products(rows, width, k, count_, panel, z + first, stride_);
      panel += width * simd::kLanes;
    }
  }

  std::string text_;
  Index columns_, count_, stride_; // stride: of z, whole panels
  std::unique_ptr<const kernel::Kernel> kernel_;
  kernel::Points landmarks_;
  std::vector<double> root_; // eight rows of L^-1 side by side, up to the last diagonal of them
};

} // namespace

bool is_kernel_map(const Call& call) {
  return call.word == "nystrom" || call.word == "random_fourier";
}

Index kernel_map_numbers(const Call& call) {
  const Index p = columns_of(call), m = made_by(call);
  return call.word == "nystrom" ? 2 + p + m * p + m * m : 1 + m * (p + 1);
}

kernel::Settings kernel_of(const Call& call) {
  return {call.option("kernel", "rbf"), call.number_option("gamma", kNaN), call.number_option("coef", 0),
          static_cast<Index>(call.number_option("degree", 3))};
}

std::vector<double> Nystrom::numbers() const {
  std::vector<double> out{gamma, kept};
  for (const auto* part : {&centre, &landmarks, &root}) out.insert(out.end(), part->begin(), part->end());
  return out;
}

std::vector<double> random_directions(const Call& call, double gamma) {
  const Index p = columns_of(call), m = made_by(call);
  std::vector<double> out{gamma};
  Random random(static_cast<std::uint64_t>(call.number_option("seed", 0)));
  const double width = std::sqrt(2 * gamma);
  for (Index k = 0; k < m * p; ++k) out.push_back(width * random.normal());
  for (Index k = 0; k < m; ++k) out.push_back(2 * std::numbers::pi * random.uniform());
  return out;
}

Result<std::shared_ptr<const Map>> make_kernel_map(const Call& call, const std::vector<double>& learned) {
  if (call.word == "nystrom") return std::make_shared<NystromMap>(call, learned);
  return std::make_shared<FourierMap>(call, learned);
}

std::string kernel_map_note(const Call& call, const std::vector<double>& learned) {
  kernel::Settings settings = kernel_of(call);
  settings.gamma = learned[0];
  const std::string kernel = kernel::make_kernel(settings)->text();
  if (call.word == "nystrom")
    return fmt::format("{} landmarks stand for the kernel {}: the trace error of its matrix over all rows is {:.3g} %",
                       made_by(call), kernel, 100 * (1 - learned[1]));
  return fmt::format("{} random features stand for the kernel {}, near it on average and without a bound",
                     made_by(call), kernel);
}

} // namespace recta::feature
