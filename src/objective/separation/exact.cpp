#include "objective/separation/exact.hpp"

#include "base/listening.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::separation {
namespace {

constexpr std::size_t kLongest = 60;       // characters of a displayed fraction
constexpr std::size_t kMostBits = 1 << 12; // of a fraction that is reduced for display

// x = whole * 2^exponent, whole odd or zero.
struct Parts {
  std::int64_t whole = 0;
  int exponent = 0;
};
Parts parts(double x) {
  if (x == 0 || !std::isfinite(x)) return {};
  int exponent = 0;
  auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  exponent -= 53;
  while (whole % 2 == 0) whole /= 2, ++exponent;
  return {whole, exponent};
}

// By its bit: g++ 12 takes a shifted 1 for unset memory.
Integer power_of_two(int n) {
  Integer power = 0;
  boost::multiprecision::bit_set(power, static_cast<unsigned>(n));
  return power;
}

std::size_t bits_of(const Integer& x) {
  return x == 0 ? 0 : boost::multiprecision::msb(abs(x)) + 1;
}

} // namespace

WholeRows::WholeRows(const std::vector<std::vector<double>>& x) {
  exponent = std::numeric_limits<int>::max();
  for (const auto& numbers : x)
    for (const double number : numbers)
      if (number != 0) exponent = std::min(exponent, parts(number).exponent);
  if (exponent == std::numeric_limits<int>::max()) exponent = 0;
  for (const auto& numbers : x) {
    auto& whole = row.emplace_back();
    for (const double number : numbers) {
      const Parts p = parts(number);
      whole.push_back(p.whole == 0 ? Integer(0) : Integer(p.whole * power_of_two(p.exponent - exponent)));
      bits = std::max(bits, bits_of(whole.back()));
    }
  }
}

std::optional<WholeSolution> solve_whole(std::vector<std::vector<Integer>> m) {
  const std::size_t equations = m.size(), unknowns = m.empty() ? 0 : m[0].size() - 1;
  std::vector<std::size_t> pivot; // column of each row
  Integer before = 1;
  for (std::size_t column = 0, row = 0; column < unknowns && row < equations; ++column) {
    keep_going();
    std::size_t best = row;
    while (best < equations && m[best][column] == 0) ++best;
    if (best == equations) continue;
    std::swap(m[row], m[best]);
    for (std::size_t r = row + 1; r < equations; ++r) {
      for (std::size_t c = column + 1; c <= unknowns; ++c)
        m[r][c] = (m[row][column] * m[r][c] - m[r][column] * m[row][c]) / before;
      m[r][column] = 0;
    }
    before = m[row][column];
    pivot.push_back(column);
    ++row;
  }
  for (std::size_t r = pivot.size(); r < equations; ++r)
    if (m[r][unknowns] != 0) return std::nullopt; // 0 = something
  WholeSolution out;
  out.numerator.assign(unknowns, 0);
  out.denominator = before; // Cramer: every unknown is whole over the last pivot
  for (std::size_t r = pivot.size(); r-- > 0;) {
    Integer rest = m[r][unknowns] * out.denominator;
    for (std::size_t q = r + 1; q < pivot.size(); ++q) rest -= m[r][pivot[q]] * out.numerator[pivot[q]];
    out.numerator[pivot[r]] = rest / m[r][pivot[r]];
  }
  if (out.denominator < 0) {
    out.denominator = -out.denominator;
    for (Integer& x : out.numerator) x = -x;
  }
  return out;
}

double work_of(std::size_t equations, std::size_t unknowns, std::size_t bits) {
  const double k = static_cast<double>(std::min(equations, unknowns)), words = k * static_cast<double>(bits) / 64 + 1;
  // Products of numbers that grow to `words` words: a third of them reach that length in each direction.
  return k * static_cast<double>(equations) * static_cast<double>(unknowns) / 3 * (words * words / 3 + 20);
}

namespace {

std::optional<std::size_t> first_not_zero(const std::vector<Integer>& row) {
  const auto at = std::ranges::find_if(row, [](const Integer& x) { return x != 0; });
  return at == row.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - row.begin()));
}

void divide_by_common(std::vector<Integer>& row) {
  Integer common = 0;
  for (const Integer& x : row) common = gcd(common, x);
  if (common > 1)
    for (Integer& x : row) x /= common;
}

} // namespace

void WholeSpan::reduce(std::vector<Integer>& row) const {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Integer by = row[pivot_[r]];
    if (by == 0) continue;
    const Integer& pivot = rows_[r][pivot_[r]];
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = row[j] * pivot - rows_[r][j] * by;
  }
}

bool WholeSpan::add(std::vector<Integer> row) {
  reduce(row);
  const auto pivot = first_not_zero(row);
  if (!pivot) return false;
  divide_by_common(row);
  for (const Integer& x : row) words_ = std::max(words_, static_cast<double>(bits_of(x)) / 64 + 1);
  pivot_.push_back(*pivot);
  rows_.push_back(std::move(row));
  return true;
}

bool WholeSpan::holds(std::vector<Integer> row) const {
  reduce(row);
  return !first_not_zero(row);
}

double WholeSpan::work(const std::vector<Integer>& row) const {
  const double steps = static_cast<double>(rank()) + 1;
  return steps * static_cast<double>(row.size()) * (words_ * words_ * steps + 40);
}

Scaled scaled(double x) {
  const Parts p = parts(x);
  return {p.whole, p.exponent};
}

Scaled operator+(const Scaled& a, const Scaled& b) {
  if (a.whole == 0) return b;
  if (b.whole == 0) return a;
  if (a.exponent < b.exponent) return b + a;
  return {a.whole * power_of_two(a.exponent - b.exponent) + b.whole, b.exponent};
}
Scaled operator-(const Scaled& a, const Scaled& b) {
  return a + Scaled{-b.whole, b.exponent};
}
Scaled operator*(const Scaled& a, const Scaled& b) {
  return {a.whole * b.whole, a.exponent + b.exponent};
}
bool operator<(const Scaled& a, const Scaled& b) {
  return (a - b).whole < 0;
}

double quotient(const Integer& a, const Integer& b, int exponent) {
  if (a == 0) return 0;
  const int shift = static_cast<int>(bits_of(b)) - static_cast<int>(bits_of(a)) + 64; // 64 or 65 bits of the quotient
  const Integer whole = shift >= 0 ? Integer(a * power_of_two(shift) / b) : Integer(a / (b * power_of_two(-shift)));
  return std::ldexp(whole.convert_to<double>(), exponent - shift);
}

int exponent_of(const Integer& a, const Integer& b, int exponent) {
  return static_cast<int>(bits_of(a)) - static_cast<int>(bits_of(b)) + exponent;
}

namespace {

// From a quotient near 1, so that squares beyond doubles have roots within them.
double root_near(const Scaled& a, const Integer& b) {
  const int odd = a.exponent % 2 == 0 ? 0 : 1;
  const int half = (static_cast<int>(bits_of(a.whole)) - static_cast<int>(bits_of(b))) / 2;
  return std::ldexp(std::sqrt(quotient(a.whole, b, odd - 2 * half)), (a.exponent - odd) / 2 + half);
}

} // namespace

double root_below(const Scaled& a, const Integer& b) {
  double root = std::min(root_near(a, b), std::numeric_limits<double>::max());
  while (root > 0 && a < scaled(root) * scaled(root) * Scaled{b, 0}) root = std::nextafter(root, 0.0);
  return root;
}
double root_above(const Scaled& a, const Integer& b) {
  double root = root_near(a, b);
  while (std::isfinite(root) && scaled(root) * scaled(root) * Scaled{b, 0} < a)
    root = std::nextafter(root, std::numeric_limits<double>::infinity());
  return root;
}

std::string fraction(const Scaled& a, const Integer& b) {
  Integer over = a.whole, under = b;
  (a.exponent >= 0 ? over : under) *= power_of_two(std::abs(a.exponent));
  if (bits_of(over) + bits_of(under) > kMostBits) return {};
  const Integer common = gcd(over, under);
  over /= common;
  under /= common;
  std::string said = under == 1 ? over.str() : over.str() + "/" + under.str();
  return said.size() <= kLongest ? said : std::string();
}

} // namespace recta::separation
