// line_sums() over registers, compiled once per instruction set by the file that includes this one after naming its
// namespace in RECTA_LINES_LEVEL. A step takes the next number of every lane's line, or zero if the line has ended,
// which changes no sum. Two registers of lines are processed at once, since a sum waits for the one before. The sums
// are those of base/double_double.hpp, operation by operation.
#define HWY_COMPILE_ONLY_STATIC
#include "stats/line_sums/line_sums.hpp"

#include <hwy/highway.h>

namespace recta::RECTA_LINES_LEVEL {

namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Places = hn::RebindToSigned<Tag>;
using V = hn::Vec<Tag>;
using I = hn::Vec<Places>;
constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(Tag()));
constexpr Index kAtOnce = 2;

struct Pair {
  V hi, lo;
};

inline Pair two_sum(V a, V b) {
  const V s = hn::Add(a, b), from_a = hn::Sub(s, b), from_b = hn::Sub(s, from_a);
  return {s, hn::Add(hn::Sub(a, from_a), hn::Sub(b, from_b))};
}
inline Pair fast_two_sum(V a, V b) {
  const V s = hn::Add(a, b);
  return {s, hn::Sub(b, hn::Sub(s, a))};
}
inline Pair add(Pair a, V b) {
  const Pair s = two_sum(a.hi, b);
  return fast_two_sum(s.hi, hn::Add(a.lo, s.lo));
}
inline Pair add(Pair a, Pair b) {
  const Pair s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
  const Pair v = fast_two_sum(s.hi, hn::Add(s.lo, t.hi));
  return fast_two_sum(v.hi, hn::Add(t.lo, v.lo));
}
inline Pair square(V x) {
  const V product = hn::Mul(x, x);
  return {product, hn::MulSub(x, x, product)};
}

struct Lanes {
  I place, left; // of the next number, and how many are left
  Pair sum, squares;

  Index begin(const Index* start) {
    const Places places;
    alignas(64) std::int64_t first[kLanes], count[kLanes];
    Index most = 0;
    for (Index l = 0; l < kLanes; ++l) {
      count[l] = start[l + 1] - start[l];
      first[l] = count[l] > 0 ? start[l] : 0; // some address that can be read
      most = count[l] > most ? count[l] : most;
    }
    place = hn::Load(places, first), left = hn::Load(places, count);
    sum = squares = {hn::Zero(Tag()), hn::Zero(Tag())};
    return most;
  }
  void step(const double* value) {
    const Places places;
    const I one = hn::Set(places, 1);
    const auto there = hn::Gt(left, hn::Zero(places));
    const V x = hn::IfThenElseZero(hn::RebindMask(Tag(), there), hn::GatherIndex(Tag(), value, place));
    left = hn::Sub(left, one);
    place = hn::Add(place, hn::IfThenElseZero(hn::Gt(left, hn::Zero(places)), one));
    sum = add(sum, x);
    squares = add(squares, square(x));
  }
  void end(const LineSums& out, Index l) const {
    hn::StoreU(sum.hi, Tag(), out.sum + l), hn::StoreU(sum.lo, Tag(), out.sum_low + l);
    hn::StoreU(squares.hi, Tag(), out.squares + l), hn::StoreU(squares.lo, Tag(), out.squares_low + l);
  }
};

} // namespace

void line_sums(const double* value, const Index* start, Index lines, const LineSums& out) {
  Index l = 0;
  for (; l + kAtOnce * kLanes <= lines && start[lines] > 0; l += kAtOnce * kLanes) {
    Lanes lanes[kAtOnce];
    Index most = 0;
    for (Index a = 0; a < kAtOnce; ++a) {
      const Index longest = lanes[a].begin(start + l + a * kLanes);
      most = longest > most ? longest : most;
    }
    for (Index s = 0; s < most; ++s)
      for (Lanes& some : lanes) some.step(value);
    for (Index a = 0; a < kAtOnce; ++a) lanes[a].end(out, l + a * kLanes);
  }
  baseline::line_sums(value, start + l, lines - l,
                      {out.sum + l, out.sum_low + l, out.squares + l, out.squares_low + l});
}

} // namespace recta::RECTA_LINES_LEVEL
