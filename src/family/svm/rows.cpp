#include "family/svm/rows.hpp"

#include "base/numbers.hpp"
#include "solver/gradient_descent/seen_row.hpp"

namespace recta::svm {
namespace {

template <class Use>
void row_numbers(const SeenRows& seen, Index i, const Use& use) {
  std::visit([&](const auto& rows) { row_of(rows, i).each(use); }, seen);
}

} // namespace

Result<MachineRows> MachineRows::hold(const Schema& schema, const Rows& rows) {
  auto data = KernelData::hold(schema, rows);
  if (!data) return std::unexpected(data.error());
  return MachineRows{*std::move(data)};
}

std::vector<MachineRows::Side> MachineRows::sides(bool against_rest) const {
  std::vector<Side> out;
  const auto add = [&](Index positive, Index negative, const auto& sign) {
    Side side{positive, negative, std::vector<double>(target.size()), std::vector<double>(target.size()), {}, 0};
    for (std::size_t i = 0; i < target.size(); ++i) {
      const double t = sign(target[i]);
      if (!(weight[i] > 0) || t == 0) continue;
      side.target[i] = t, side.weight[i] = weight[i];
      side.present.push_back(static_cast<Index>(i));
      side.total += weight[i];
    }
    out.push_back(std::move(side));
  };
  if (classes < 3) {
    Side side{0, 0, target, weight, {}, 0};
    for (std::size_t i = 0; i < target.size(); ++i)
      if (weight[i] > 0) side.present.push_back(static_cast<Index>(i)), side.total += weight[i];
    out.push_back(std::move(side));
    return out;
  }
  for (Index k = 0; k < classes; ++k) {
    const auto own = static_cast<double>(k);
    if (against_rest) add(k, classes, [&](double y) { return y == own ? 1.0 : -1.0; });
    for (Index l = k + 1; l < classes && !against_rest; ++l) {
      const auto other = static_cast<double>(l);
      add(k, l, [&](double y) { return y == own ? 1.0 : y == other ? -1.0 : 0.0; });
    }
  }
  return out;
}

LinearRows MachineRows::linear_rows(const Side& side, bool intercept, Pool& pool) const {
  LinearRows out(held->cols(), sparse());
  std::vector<double> x(at(sparse() ? 0 : held->cols()));
  for (const Index i : side.present) {
    if (sparse()) {
      out.add_sparse([&](const auto& use) { row_numbers(held->seen(), i, use); });
    } else {
      write_out(i, x.data());
      out.add_dense(x.data());
    }
  }
  if (intercept) out.move_to_centre(pool);
  return out;
}

} // namespace recta::svm
