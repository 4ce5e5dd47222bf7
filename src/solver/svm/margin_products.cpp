#include "solver/svm/margin_products.hpp"

#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

namespace recta::svm {
namespace {

using PassKind = ProductSums::Kind;

// Calls use(column, number) for the numbers that row i stores.
template <class Use>
void each_stored(const PresentBlock& block, Index i, const Use& use) {
  if (const auto* dense = std::get_if<MatrixView>(&block.x())) {
    for (Index j = 0; j < dense->cols; ++j) use(at(j), element(*dense, i, j));
    return;
  }
  const SparseRow row = sparse_row(std::get<SparseView>(block.x()), i);
  for (Index s = 0; s < row.count; ++s) use(at(row.column(s)), row.value[s]);
}

Index numbers_of(const PresentBlock& block, Index i) {
  const auto* dense = std::get_if<MatrixView>(&block.x());
  return dense ? dense->cols : sparse_row(std::get<SparseView>(block.x()), i).count;
}

void hold(const PresentBlock& block, Index i, double t, Index most, ProductSums& sums) {
  MarginRows& held = sums.held;
  sums.too_many = sums.too_many || std::ssize(held.value) + numbers_of(block, i) > most;
  if (sums.too_many) return;
  each_stored(block, i, [&](std::size_t j, double x) {
    held.column.push_back(static_cast<std::int32_t>(j)), held.value.push_back(x);
  });
  held.start.push_back(std::ssize(held.value));
  held.side.push_back(t), held.weight.push_back(block.v[at(i)]);
}

// <w, u> + b for all rows of a block.
void product_scores(const PresentBlock& block, const std::vector<double>& at, std::vector<double>& z) {
  z.resize(block.y.size());
  block.row_dots(at.data(), z.data());
  for (double& score : z) score += at.back();
}

PassKind kind_of(const ProductPoint& point) {
  if (point.at.empty()) return PassKind::nothing;
  if (!point.along.empty()) return PassKind::product;
  return point.band > 0 ? PassKind::band : PassKind::look;
}

// Everything that merges by addition.
template <class Number, class Sums>
std::vector<std::span<Number>> product_sums(Sums& s) {
  return {{&s.loss, 1}, {&s.smooth, 1}, {&s.excess, 1}, {&s.numbers, 1}, s.weight,  s.mass,    s.side_loss,
          s.zone_mass,  s.zone_loss,    s.loss_on_way,  s.smooth_on_way, s.pull[0], s.pull[1], s.zone[0],
          s.zone[1],    s.squares,      s.beyond,       s.product,       s.bins,    s.short_of};
}

} // namespace

ProductSums::ProductSums(PassKind what, Index p)
    : MarginTally(what == PassKind::look || what == PassKind::band ? MarginTally(p + 1) : MarginTally()), kind(what),
      size(what == PassKind::nothing ? 0 : p + 1) {
  if (what == PassKind::product) product.resize(at(size));
  if (what == PassKind::look || what == PassKind::band) squares.resize(at(size));
  if (what == PassKind::band) beyond.resize(at(size));
}

MarginProducts::MarginProducts(std::shared_ptr<const ProductQuestion> asked) : question(std::move(asked)) {
  for (const ProductPoint& point : question->points)
    machines.emplace_back(kind_of(point), std::ssize(question->centre));
}

void MarginProducts::accumulate(const Batch& batch) {
  Workspace room;
  accumulate(batch, room);
}

void MarginProducts::accumulate(const Batch& batch, Workspace& room) {
  room.block.take(batch, 0);
  const auto* dense = std::get_if<MatrixView>(&room.block.x());
  if (dense) { // sparse rows have no centre
    const std::size_t p = question->centre.size();
    room.u.resize(at(room.block.rows()) * p);
    for (Index i = 0; i < room.block.rows(); ++i)
      for (std::size_t j = 0; j < p; ++j)
        room.u[at(i) * p + j] = element(*dense, i, static_cast<Index>(j)) - question->centre[j];
    Batch centred = room.block.with(room.block.v, &room.block.y);
    centred.x = MatrixView::row_major(room.u.data(), room.block.rows(), dense->cols);
    room.about.take(centred, 0);
  }
  const PresentBlock& x = dense ? room.about : room.block;
  for (std::size_t k = 0; k < machines.size(); ++k) {
    const ProductPoint& point = question->points[k];
    if (machines[k].kind == PassKind::product)
      multiply(point, machines[k], x, room);
    else if (machines[k].kind != PassKind::nothing)
      look(point, machines[k], x, room);
  }
}

void MarginProducts::multiply(const ProductPoint& point, ProductSums& sums, const PresentBlock& x,
                              Workspace& room) const {
  const SmoothedHinge hinge{squared(question->loss), point.width};
  product_scores(x, point.at, room.z);
  product_scores(x, point.along, room.other);
  for (std::size_t i = 0; i < room.z.size(); ++i) {
    const double t = point.sides.of(x.y[i]);
    room.other[i] *= t != 0 && hinge.in_zone(1 - t * room.z[i]) ? x.v[i] : 0;
    if (question->constant) sums.product.back() += room.other[i];
  }
  x.column_dots(room.other.data(), sums.product.data());
}

void MarginProducts::look(const ProductPoint& point, ProductSums& sums, const PresentBlock& x, Workspace& room) const {
  const SmoothedHinge hinge{squared(question->loss), point.width};
  const double one = question->constant ? 1 : 0;
  product_scores(x, point.at, room.z);
  if (!point.from.empty()) product_scores(x, point.from, room.other);
  for (Index i = 0; i < x.rows(); ++i) {
    const double t = point.sides.of(x.y[at(i)]), v = x.v[at(i)], l = 1 - t * room.z[at(i)];
    if (t == 0) continue;
    sums.add(t, v, l, hinge);
    sums.numbers += static_cast<double>(numbers_of(x, i));
    if (!point.from.empty()) sums.add_on_way(t, v, room.other[at(i)], room.z[at(i)], hinge);
    if (std::abs(l) <= point.band) hold(x, i, t, question->most_held, sums);
    if (l <= 0) continue;
    const std::size_t side = t > 0;
    const double r = v * hinge.slope(l) * t;
    const auto add = [&](std::vector<double>& to, double by) {
      each_stored(x, i, [&](std::size_t j, double number) { to[j] += by * number; });
      to.back() += by * one;
    };
    add(sums.pull[side], r);
    if (point.band > 0 && l > point.band) add(sums.beyond, v * t);
    if (!hinge.in_zone(l)) continue;
    add(sums.zone[side], r);
    each_stored(x, i, [&](std::size_t j, double number) { sums.squares[j] += v * number * number; });
    sums.squares.back() += v * one;
  }
  if (sums.too_many) sums.held = {};
}

void MarginProducts::merge(const MarginProducts& other) {
  for (std::size_t k = 0; k < machines.size(); ++k) {
    ProductSums& to = machines[k];
    const ProductSums& from = other.machines[k];
    const auto ours = product_sums<double>(to);
    const auto theirs = product_sums<const double>(from);
    for (std::size_t s = 0; s < ours.size(); ++s)
      for (std::size_t e = 0; e < ours[s].size(); ++e) ours[s][e] += theirs[s][e];
    to.heaviest = std::max(to.heaviest, from.heaviest);
    to.too_many =
        to.too_many || from.too_many || std::ssize(to.held.value) + std::ssize(from.held.value) > question->most_held;
    if (to.too_many)
      to.held = {};
    else
      to.held.append(from.held);
  }
}

std::string MarginProducts::to_bytes() const {
  StateWriter out("mprd");
  out.put(std::ssize(machines));
  for (const ProductSums& one : machines) {
    out.put(static_cast<Index>(one.kind));
    out.put(one.size);
    out.put(one.heaviest);
    for (const auto& some : product_sums<const double>(one)) out.put(std::vector<double>(some.begin(), some.end()));
    out.put(Index{one.too_many ? 1 : 0});
    one.held.put(out);
  }
  return out.take();
}

Result<MarginProducts> MarginProducts::from_bytes(std::string_view bytes) {
  StateReader in("mprd", bytes);
  MarginProducts out;
  const Index count = in.index();
  in.require(count >= 0 && count <= std::ssize(bytes));
  for (Index k = 0; k < count && in.good(); ++k) {
    const Index kind = in.index(), size = in.index();
    in.require(kind >= 0 && kind <= static_cast<Index>(PassKind::product) && size >= 0 && size <= std::ssize(bytes) &&
               (kind == 0) == (size == 0));
    if (!in.good()) break;
    ProductSums one(static_cast<PassKind>(kind), size - 1);
    one.heaviest = in.number();
    for (const auto& some : product_sums<double>(one)) {
      const std::vector<double> numbers = in.numbers(std::ssize(some));
      std::copy_n(numbers.begin(), std::min(numbers.size(), some.size()), some.begin());
    }
    one.too_many = in.index() != 0;
    one.held = MarginRows::read(in, size - 1);
    out.machines.push_back(std::move(one));
  }
  if (!in.done()) return damaged_state("the margins of machines of many columns");
  return out;
}

bool MarginProducts::same_kind(const MarginProducts& other) const {
  if (machines.size() != other.machines.size()) return false;
  for (std::size_t k = 0; k < machines.size(); ++k)
    if (machines[k].size != other.machines[k].size || machines[k].kind != other.machines[k].kind) return false;
  return true;
}

} // namespace recta::svm
