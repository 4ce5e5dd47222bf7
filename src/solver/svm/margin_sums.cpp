#include "solver/svm/margin_sums.hpp"

#include "base/blas.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <compare>

namespace recta::svm {
namespace {

// The rows of a block about the centre, each followed by the constant: p + 1 numbers a row.
void write_out(const PresentBlock& block, const MarginQuestion& asked, std::vector<double>& u) {
  const std::size_t p = asked.centre.size(), size = p + 1;
  u.resize(at(block.rows()) * size);
  for (Index i = 0; i < block.rows(); ++i) {
    double* const to = u.data() + at(i) * size;
    if (const auto* dense = std::get_if<MatrixView>(&block.x())) {
      for (std::size_t j = 0; j < p; ++j) to[j] = element(*dense, i, static_cast<Index>(j)) - asked.centre[j];
    } else {
      for (std::size_t j = 0; j < p; ++j) to[j] = -asked.centre[j];
      const SparseRow row = sparse_row(std::get<SparseView>(block.x()), i);
      for (Index s = 0; s < row.count; ++s) to[row.column(s)] = row.value[s] - asked.centre[at(row.column(s))];
    }
    to[p] = asked.constant ? 1 : 0;
  }
}

void scores(const std::vector<double>& u, Index size, const std::vector<double>& at, std::vector<double>& z) {
  const Index n = std::ssize(u) / size;
  z.assign(static_cast<std::size_t>(n), 0.0);
  if (n > 0) blas::gemv(1, blas::transposed({u.data(), size, n}), at.data(), 0, z.data());
}

// sum v u u' over the rows that are named, into a lower triangle.
void add_products(const std::vector<double>& u, Index size, const std::vector<Index>& rows,
                  const std::vector<double>& v, std::vector<double>& tile, std::vector<double>& sum) {
  if (rows.empty()) return;
  tile.resize(rows.size() * at(size));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double root = std::sqrt(v[at(rows[k])]);
    for (Index j = 0; j < size; ++j) tile[k * at(size) + at(j)] = root * u[at(rows[k] * size + j)];
  }
  blas::syrk(1, {tile.data(), size, std::ssize(rows)}, 1, {sum.data(), size});
}

// Everything that merges by addition.
template <class Number, class Sums>
std::vector<std::span<Number>> all_sums(Sums& s) {
  return {{&s.loss, 1}, {&s.smooth, 1}, {&s.excess, 1},  {&s.outside_weight, 1},
          s.weight,     s.mass,         s.side_loss,     s.zone_mass,
          s.zone_loss,  s.loss_on_way,  s.smooth_on_way, s.pull[0],
          s.pull[1],    s.zone[0],      s.zone[1],       s.products,
          s.beyond,     s.outside,      s.bins,          s.short_of};
}

} // namespace

MarginSums::MarginSums(Index p, bool band) : MarginTally(p + 1), size(p + 1), products(at(size * size)) {
  if (band) beyond.resize(at(size)), outside.resize(at(size * size));
}

void MarginSums::join_equal_rows(Index most) {
  const std::size_t each = at(size + 2);
  std::vector<std::size_t> order;
  for (std::size_t row = 0; row < held.size() && !too_many; row += each) order.push_back(row);
  const auto numbers = [&](std::size_t row) { return std::span(held).subspan(row, each - 1); };
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { // equal rows stay in their order
    const auto way = std::lexicographical_compare_three_way(numbers(a).begin(), numbers(a).end(), numbers(b).begin(),
                                                            numbers(b).end());
    return way != 0 ? way < 0 : a < b;
  });
  std::vector<double> joined;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double* const row = held.data() + order[k];
    if (k > 0 && std::ranges::equal(numbers(order[k - 1]), numbers(order[k])))
      joined.back() += row[each - 1];
    else
      joined.insert(joined.end(), row, row + each);
  }
  too_many = too_many || std::ssize(joined) > most * (size + 2);
  held = too_many ? std::vector<double>() : std::move(joined);
}

ManyMargins::ManyMargins(std::shared_ptr<const MarginQuestion> asked) : question(std::move(asked)) {
  for (const PassPoint& point : question->points)
    machines.push_back(point.at.empty() ? MarginSums() : MarginSums(std::ssize(question->centre), point.band > 0));
}

void ManyMargins::accumulate(const Batch& batch) {
  Workspace room;
  accumulate(batch, room);
}

void ManyMargins::accumulate(const Batch& batch, Workspace& room) {
  room.block.take(batch, 0);
  write_out(room.block, *question, room.u);
  for (std::size_t k = 0; k < machines.size(); ++k)
    if (!question->points[k].at.empty()) look(question->points[k], machines[k], room);
}

void ManyMargins::look(const PassPoint& point, MarginSums& sums, Workspace& room) const {
  const SmoothedHinge loss{squared(question->loss), point.width};
  const auto size = at(sums.size);
  const std::vector<double>& v = room.block.v;
  scores(room.u, sums.size, point.at, room.z);
  if (!point.from.empty()) scores(room.u, sums.size, point.from, room.z0);
  for (auto& side : room.r) side.assign(room.z.size(), 0.0);
  room.zone.clear(), room.outside.clear();
  for (std::size_t i = 0; i < room.z.size(); ++i) {
    const double t = point.sides.of(room.block.y[i]), l = 1 - t * room.z[i], d = loss.slope(l);
    if (t == 0) continue;
    const std::size_t side = t > 0;
    const double* const u = room.u.data() + i * size;
    sums.add(t, v[i], l, loss);
    const double r = v[i] * d * t;
    room.r[side][i] = r;
    if (loss.in_zone(l)) {
      room.zone.push_back(static_cast<Index>(i));
      for (std::size_t j = 0; j < size; ++j) sums.zone[side][j] += r * u[j];
    }
    if (!point.from.empty()) sums.add_on_way(t, v[i], room.z0[i], room.z[i], loss);
    if (point.band == 0) continue;
    if (l > point.band)
      for (std::size_t j = 0; j < size; ++j) sums.beyond[j] += v[i] * t * u[j];
    if (std::abs(l) <= point.band) {
      ++sums.held_count;
      if (sums.too_many) continue;
      sums.held.push_back(t);
      sums.held.insert(sums.held.end(), u, u + size);
      sums.held.push_back(v[i]);
    } else if (std::abs(l) <= 2 * point.band) {
      room.outside.push_back(static_cast<Index>(i)), sums.outside_weight += v[i];
    }
  }
  sums.join_equal_rows(question->most_held);
  for (std::size_t side = 0; side < 2 && !room.z.empty(); ++side)
    blas::gemv(1, {room.u.data(), sums.size, std::ssize(room.z)}, room.r[side].data(), 1, sums.pull[side].data());
  add_products(room.u, sums.size, room.zone, v, room.tile, sums.products);
  add_products(room.u, sums.size, room.outside, v, room.tile, sums.outside);
}

void ManyMargins::merge(const ManyMargins& other) {
  for (std::size_t k = 0; k < machines.size(); ++k) {
    MarginSums& to = machines[k];
    const MarginSums& from = other.machines[k];
    const auto ours = all_sums<double>(to);
    const auto theirs = all_sums<const double>(from);
    for (std::size_t s = 0; s < ours.size(); ++s)
      for (std::size_t e = 0; e < ours[s].size(); ++e) ours[s][e] += theirs[s][e];
    to.heaviest = std::max(to.heaviest, from.heaviest);
    to.held_count += from.held_count, to.too_many = to.too_many || from.too_many;
    to.held.insert(to.held.end(), from.held.begin(), from.held.end());
    to.join_equal_rows(question->most_held);
  }
}

std::string ManyMargins::to_bytes() const {
  StateWriter out("marg");
  out.put(std::ssize(machines));
  for (const MarginSums& one : machines) {
    out.put(one.size);
    out.put(Index{one.beyond.empty() ? 0 : 1});
    out.put(one.heaviest);
    for (const auto& some : all_sums<const double>(one)) out.put(std::vector<double>(some.begin(), some.end()));
    out.put(one.held_count);
    out.put(Index{one.too_many ? 1 : 0});
    out.put(std::ssize(one.held));
    out.put(one.held);
  }
  return out.take();
}

Result<ManyMargins> ManyMargins::from_bytes(std::string_view bytes) {
  StateReader in("marg", bytes);
  ManyMargins out;
  const Index count = in.index();
  in.require(count >= 0 && count <= std::ssize(bytes));
  for (Index k = 0; k < count && in.good(); ++k) {
    const Index size = in.index(), band = in.index();
    in.require(size >= 0 && size * size <= std::ssize(bytes) && (band == 0 || band == 1));
    if (!in.good()) break;
    MarginSums one = size == 0 ? MarginSums() : MarginSums(size - 1, band == 1);
    one.heaviest = in.number();
    for (const auto& some : all_sums<double>(one)) {
      const std::vector<double> numbers = in.numbers(std::ssize(some));
      std::copy_n(numbers.begin(), std::min(numbers.size(), some.size()), some.begin());
    }
    one.held_count = in.index(), one.too_many = in.index() != 0;
    const Index held = in.index();
    one.held = in.numbers(held);
    in.require(one.held_count >= 0 && held % (size + 2) == 0);
    out.machines.push_back(std::move(one));
  }
  if (!in.done()) return damaged_state("the margins of machines");
  return out;
}

bool ManyMargins::same_kind(const ManyMargins& other) const {
  if (machines.size() != other.machines.size()) return false;
  for (std::size_t k = 0; k < machines.size(); ++k)
    if (machines[k].size != other.machines[k].size || machines[k].beyond.size() != other.machines[k].beyond.size())
      return false;
  return true;
}

} // namespace recta::svm
