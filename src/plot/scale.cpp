#include "plot/scale.hpp"

#include "plot/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace recta::plot {
namespace {

constexpr double kRoom = 0.04;                   // beside the data, as a share of their range
constexpr double kLeastSpread = 1e-12;           // of the size of the numbers: less cannot be told apart
constexpr double kLeast = 1e-290, kMost = 8e307; // beyond, a range would overflow

double power10(int exponent) {
  return std::pow(10.0, exponent); // correctly rounded where 10^e is exact
}

double times_power10(long long digits, int exponent) {
  const auto n = static_cast<double>(digits);
  return exponent < 0 ? n / power10(-exponent) : n * power10(exponent);
}

// The step of at most `most` intervals over `range`, as mantissa and exponent.
struct Step {
  long long mantissa = 1;
  int exponent = 0;
  double value() const { return times_power10(mantissa, exponent); }
};

Step nice_step(double range, int most) {
  const double least = range / most;
  Step step{1, static_cast<int>(std::floor(std::log10(least))) - 1};
  while (step.value() < least * (1 - 1e-9)) {
    step.mantissa = step.mantissa == 1 ? 2 : step.mantissa == 2 ? 5 : 1;
    if (step.mantissa == 1) ++step.exponent;
  }
  return step;
}

int digits_of(long long number) {
  int digits = 1;
  for (; std::llabs(number) >= 10; number /= 10) ++digits;
  return digits;
}

// The number from low to high that ends in the most zeros, the largest of those.
long long roundest(long long low, long long high) {
  for (long long unit = 1'000'000'000'000'000'000; unit > 1; unit /= 10) {
    const long long rest = (high % unit + unit) % unit;
    if (high - rest >= low) return high - rest;
  }
  return high;
}

// Labels of first, first + step, ... in units of 10^exponent; long common beginnings and powers go to the axis label.
void label_all(Ticks& ticks, std::vector<long long> numbers, int exponent) {
  constexpr int kLong = 6;
  const auto size = [&] {
    return digits_of(*std::ranges::max_element(numbers, {}, [](long long n) { return std::llabs(n); }));
  };
  if (const long long spread = numbers.back() - numbers.front(); size() > kLong && digits_of(spread) + 2 < size()) {
    const long long base = roundest(numbers.front(), numbers.back());
    for (long long& n : numbers) n -= base;
    ticks.unit = (base > 0 ? "− " : "+ ") + decimal(std::llabs(base), exponent);
  }
  const int lead = size() - 1 + exponent; // exponent of the largest number's first digit
  const bool scientific = lead >= 6 || lead < -4;
  if (scientific) ticks.unit += (ticks.unit.empty() ? "in " : ", in ") + power_of_ten(lead);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    ticks.all[k].label = decimal(numbers[k], scientific ? exponent - lead : exponent);
}

std::string log_label(int mantissa, int exponent, bool power) {
  if (!power) return decimal(mantissa, exponent);
  return (mantissa == 1 ? "" : std::to_string(mantissa) + "×") + power_of_ten(exponent);
}

Range widened(Range r) {
  const double size = std::max(std::abs(r.low), std::abs(r.high));
  if (r.high / 2 - r.low / 2 > kLeastSpread * size / 2 && r.high - r.low > kLeast) return r;
  const double half = size > kLeast / 0.1 ? 0.1 * size : 1; // constant data: a tenth around it
  return {std::max(r.low - half, -kMost), std::min(r.high + half, kMost), false};
}

} // namespace

void Range::take(double value) {
  if (!(std::abs(value) <= kMost)) return;
  low = empty ? value : std::min(low, value);
  high = empty ? value : std::max(high, value);
  empty = false;
}

Place::Place(const Axis& axis, Range data, double length)
    : scale_(axis.scale), falling_(axis.falling), length_(length) {
  const bool log = scale_ == Scale::log;
  Range r = data.empty ? Range{log ? 1.0 : 0.0, log ? 10.0 : 1.0, false} : data;
  if (log) r = {std::log10(r.low), std::log10(r.high), false};
  r = log && r.high - r.low < 1e-12 ? Range{r.low - 0.5, r.high + 0.5, false} : widened(r);
  const double room = kRoom * (r.high - r.low);
  const auto is_set = [&](double value) { return holds(value); };
  low_ = is_set(axis.low) ? (log ? std::log10(axis.low) : axis.low) : std::max(r.low - room, -kMost);
  high_ = is_set(axis.high) ? (log ? std::log10(axis.high) : axis.high) : std::min(r.high + room, kMost);
  if (!(high_ > low_)) { // what was asked for leaves nothing of the data
    const Range both = widened({std::min(low_, high_), std::max(low_, high_), false});
    low_ = both.low, high_ = both.high;
  }
}

bool Place::holds(double value) const {
  return std::abs(value) <= kMost && (scale_ == Scale::linear || value > 0);
}

double Place::operator()(double value) const {
  const double v = scale_ == Scale::log ? std::log10(value) : value;
  const double place = (v / 2 - low_ / 2) / (high_ / 2 - low_ / 2) * length_; // halves: no overflow
  return std::clamp(falling_ ? length_ - place : place, -1e5, 1e5);           // far outside: anywhere outside
}

void Place::widen(double unit) {
  const double more = (unit * length_ - (high_ - low_)) / 2;
  if (more > 0) low_ -= more, high_ += more;
}

Ticks Place::ticks(double apart) const {
  const int most = std::max(2, static_cast<int>(length_ / apart));
  return scale_ == Scale::log ? log_ticks(std::pow(10.0, low_), std::pow(10.0, high_), most)
                              : linear_ticks(low_, high_, most);
}

Ticks named_ticks(const std::vector<std::string>& names) {
  constexpr double kWidest = 120; // pixels
  Ticks ticks;
  for (const std::string& name : names)
    ticks.all.push_back({static_cast<double>(ticks.all.size()), fitted(name, 12, kWidest)});
  return ticks;
}

Ticks linear_ticks(double low, double high, int most) {
  Ticks ticks;
  const Step step = nice_step(high - low, most);
  const double size = step.value(), slack = 1e-9;
  const auto first = static_cast<long long>(std::ceil(low / size - slack));
  const auto last = static_cast<long long>(std::floor(high / size + slack));
  std::vector<long long> numbers;
  for (long long k = first; k <= last; ++k) {
    numbers.push_back(k * step.mantissa);
    ticks.all.push_back({times_power10(numbers.back(), step.exponent), {}});
  }
  if (!numbers.empty()) label_all(ticks, numbers, step.exponent);
  return ticks;
}

Ticks log_ticks(double low, double high, int most) {
  const double from = std::log10(low), to = std::log10(high), slack = 1e-9;
  const int first = static_cast<int>(std::floor(from + slack)), last = static_cast<int>(std::ceil(to - slack));
  if (to - from < 0.7) return linear_ticks(low, high, most);
  const int within = static_cast<int>(std::floor(to + slack)) - static_cast<int>(std::ceil(from - slack));
  const int every = std::max(1, (within + most - 1) / most);
  const bool fives = every == 1 && 3 * within <= most; // room for 2 and 5 too
  const bool powers = first < -4 || last > 5;          // then all labels are
  Ticks ticks;
  for (int e = first; e <= last; ++e) {
    for (const int m : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
      if (every > 1 && m > 1) continue;
      const double at = times_power10(m, e);
      if (std::log10(at) < from - slack || std::log10(at) > to + slack) continue;
      const bool named = m == 1 ? e % every == 0 : fives && (m == 2 || m == 5);
      ticks.all.push_back({at, named ? log_label(m, e, powers) : ""});
    }
  }
  return ticks;
}

} // namespace recta::plot
