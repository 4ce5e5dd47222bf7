#include "family/svm/rows.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "feature/classes.hpp"
#include "solver/gradient_descent/seen_row.hpp"

namespace recta::svm {
namespace {

template <class Use>
void row_numbers(const SeenRows& seen, Index i, const Use& use) {
  std::visit([&](const auto& rows) { row_of(rows, i).each(use); }, seen);
}

} // namespace

Result<MachineRows> MachineRows::hold(const Schema& schema, const Rows& rows) {
  MachineRows out;
  auto held = HeldRows::hold(rows.source, Dense::as_it_lies);
  if (!held) return std::unexpected(held.error());
  out.held = *std::move(held);
  const Places places = places_of(schema, rows.name);
  const auto checked = for_each_batch(*out.held, [&](const Batch& batch) -> Result<void> {
    if (auto good = check_weights(batch, places); !good) return good;
    return check_numbers(batch, places);
  });
  if (!checked) return std::unexpected(checked.error());
  out.target = out.held->target(0);
  out.weight = out.held->weight();
  if (out.weight.empty()) out.weight.assign(out.target.size(), 1);
  out.classes = schema.classes.count();
  out.drawn = out.weight;
  const std::vector<double>& factor = schema.classes.factor;
  for (std::size_t i = 0; i < out.drawn.size() && !factor.empty(); ++i)
    if (out.drawn[i] > 0) out.drawn[i] /= factor.at(at(feature::class_place(schema.classes, out.target[i])));
  return out;
}

bool MachineRows::sparse() const {
  return !std::holds_alternative<DenseRows>(held->seen());
}

void MachineRows::write_out(Index row, double* x) const {
  std::fill(x, x + held->cols(), 0.0);
  row_numbers(held->seen(), row, [&](Index j, double value) { x[j] = value; });
}

std::vector<double> MachineRows::combination(const Side& side, const std::vector<double>& beta) const {
  std::vector<CompensatedSum> sum(at(held->cols()));
  for (std::size_t k = 0; k < beta.size(); ++k)
    if (beta[k] != 0)
      row_numbers(held->seen(), side.present[k], [&](Index j, double x) { sum[at(j)].add_product(beta[k], x); });
  std::vector<double> out;
  for (const CompensatedSum& one : sum) out.push_back(one.value());
  return out;
}

double MachineRows::variance() const {
  CompensatedSum sum, squares, total;
  const auto cols = static_cast<double>(held->cols());
  for (std::size_t i = 0; i < target.size(); ++i)
    if (drawn[i] > 0) {
      double row = 0;
      row_numbers(held->seen(), static_cast<Index>(i), [&](Index, double x) { row += x; });
      sum.add_product(drawn[i], row);
      total.add(drawn[i] * cols);
    }
  const double mean = sum.value() / total.value();
  for (std::size_t i = 0; i < target.size(); ++i)
    if (drawn[i] > 0) {
      double zeros = cols, row = 0;
      row_numbers(held->seen(), static_cast<Index>(i), [&](Index, double x) {
        row += (x - mean) * (x - mean);
        zeros -= 1;
      });
      squares.add_product(drawn[i], row + zeros * mean * mean);
    }
  return squares.value() / total.value();
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

kernel::Points MachineRows::points(const Side& side, bool centred) const {
  std::vector<double> x(at(held->cols())), centre;
  if (centred && !sparse()) {
    centre.resize(x.size());
    for (const Index i : side.present)
      row_numbers(held->seen(), i,
                  [&](Index j, double value) { centre[at(j)] += value / static_cast<double>(side.present.size()); });
  }
  kernel::Points out(held->cols(), sparse(), std::move(centre));
  for (const Index i : side.present) {
    write_out(i, x.data());
    out.add(x.data(), i);
  }
  return out;
}

} // namespace recta::svm
