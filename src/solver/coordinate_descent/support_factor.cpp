#include "solver/coordinate_descent/support_factor.hpp"

#include "base/blas.hpp"

#include <algorithm>
#include <cmath>

namespace recta::descent {
namespace {

std::vector<char> marked(std::span<const Index> places, std::size_t size) {
  std::vector<char> out(size);
  for (const Index i : places) out[i] = 1;
  return out;
}

} // namespace

Index SupportFactor::leave(std::span<const Index> support, std::span<const double> l2) {
  const std::vector<char> stays = marked(support, l2.size());
  std::vector<Index> gone;
  for (Index i = 0; i < size(); ++i)
    if (!stays[order_[i]] || diagonal_[i] != l2[order_[i]]) gone.push_back(i);
  if (gone.empty()) return size();
  // Rotations run at the speed of memory and a factorisation at the speed of cache: about ten times the operations per
  // second.
  double rotations = 0;
  const auto s = static_cast<double>(size()), first = static_cast<double>(gone.front());
  for (const Index i : gone) rotations += 3 * (s - static_cast<double>(i)) * (s - static_cast<double>(i));
  if (rotations <= (s * s * s - first * first * first) / 3 / 10) {
    for (auto i = gone.rbegin(); i != gone.rend(); ++i) take_out(*i);
    return size();
  }
  for (auto i = gone.rbegin(); i != gone.rend(); ++i) {
    order_.erase(order_.begin() + *i);
    diagonal_.erase(diagonal_.begin() + *i);
  }
  return gone.front();
}

// If row and column `place` are removed, L33 L33' grows by the column that was there.
void SupportFactor::take_out(Index place) {
  const Index s = size(), rest = s - place - 1;
  std::vector<double> v(l_.begin() + place * room_ + place + 1, l_.begin() + place * room_ + s);
  for (Index j = 0; j < place; ++j) { // rows move up
    double* column = l_.data() + j * room_;
    std::copy(column + place + 1, column + s, column + place);
  }
  for (Index k = 0; k < rest; ++k) {
    const double* from = l_.data() + (place + 1 + k) * room_ + place + 1;
    double* to = l_.data() + (place + k) * room_ + place;
    const double length = std::hypot(from[k], v[k]), c = from[k] / length, sine = v[k] / length;
    to[k] = length;
    for (Index i = k + 1; i < rest; ++i) {
      const double kept = c * from[i] + sine * v[i];
      v[i] = c * v[i] - sine * from[i];
      to[i] = kept;
    }
  }
  order_.erase(order_.begin() + place);
  diagonal_.erase(diagonal_.begin() + place);
}

void SupportFactor::make_room(Index kept) {
  if (size() <= room_) return;
  const Index room = std::max(size() + 16, room_ + room_ / 2);
  std::vector<double> larger(static_cast<std::size_t>(room * room));
  for (Index j = 0; j < kept; ++j) std::copy_n(l_.data() + j * room_, kept, larger.data() + j * room);
  l_ = std::move(larger);
  room_ = room;
}

bool SupportFactor::update(std::span<const Index> support, const double* gram, Index stride,
                           std::span<const double> l2) {
  Index kept = leave(support, l2);
  const std::vector<char> known = marked(order_, l2.size());
  for (const Index i : support)
    if (!known[i]) {
      order_.push_back(i);
      diagonal_.push_back(l2[i]);
    }
  make_room(kept);
  if (kept > 0 && extend(kept, gram, stride, shift_)) return true;
  for (shift_ = 0; shift_ < 1e-6; shift_ = shift_ == 0 ? 1e-13 : shift_ * 100)
    if (extend(0, gram, stride, shift_)) return true;
  forget();
  return false;
}

// [L11 0; L21 L22] from L11: L21 = G21 L11^-T, L22 L22' = G22 - L21 L21'.
bool SupportFactor::extend(Index kept, const double* gram, Index stride, double shift) {
  for (Index j = 0; j < size(); ++j) {
    const double* column = gram + order_[j] * stride;
    for (Index i = std::max(j, kept); i < size(); ++i) l_[j * room_ + i] = column[order_[i]];
    if (j >= kept) l_[j * room_ + j] += diagonal_[j] + shift;
  }
  const Index added = size() - kept;
  if (added == 0) return true;
  double* l21 = l_.data() + kept;
  double* l22 = l_.data() + kept * room_ + kept;
  if (kept > 0) {
    blas::trsm(blas::Side::right, blas::Triangle::lower, blas::transposed({l_.data(), kept, kept, room_}),
               {l21, added, kept, room_});
    blas::syrk(-1, {l21, added, kept, room_}, 1, {l22, added, added, room_});
  }
  if (blas::potrf({l22, added, added, room_}) != 0) return false;
  for (Index j = kept; j < size(); ++j) // a pivot of rounding alone is none
    if (l_[j * room_ + j] < 1e-7) return false;
  return true;
}

void SupportFactor::solve(std::span<const double> rhs, std::span<double> result) const {
  work_.resize(order_.size());
  for (Index i = 0; i < size(); ++i) work_[i] = rhs[order_[i]];
  const blas::ConstMatrix l{l_.data(), size(), size(), room_};
  for (const auto& factor : {l, blas::transposed(l)})
    if (size() > 0) blas::trsv(blas::Triangle::lower, factor, work_.data());
  for (Index i = 0; i < size(); ++i) result[order_[i]] = work_[i];
}

} // namespace recta::descent
