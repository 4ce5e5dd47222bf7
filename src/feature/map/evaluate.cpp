// An expression over a block of rows: one loop per step, the values of all rows on a stack.
#include "feature/map/expression.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>

namespace recta::feature {
namespace {

using Numbers = std::vector<DoubleDouble>;

// Repeated squaring: the relative error is about n times that of one product.
DoubleDouble whole_power(DoubleDouble x, double exponent) {
  auto left = static_cast<unsigned>(std::abs(exponent));
  DoubleDouble power = 1.0;
  for (DoubleDouble square = x; left != 0; square = square * square) {
    if (left & 1u) power = power * square;
    left >>= 1u;
    if (left == 0) break;
  }
  return exponent < 0 ? 1.0 / power : power;
}

// 2 pi x / period, from the remainder, which is exact: a sine of a large x keeps its digits.
double turn(double x, double period) {
  return 2 * std::numbers::pi * (std::remainder(x, period) / period);
}

} // namespace

class Evaluation {
public:
  Evaluation(const Expression& expression, const MapRows& rows) : expression_(expression), rows_(rows) {}

  MapOutcome run(double* high, double* low) {
    for (step_ = 0; step_ < expression_.steps_.size(); ++step_)
      if (auto done = apply(expression_.steps_[step_]); !done) return done;
    for (Index i = 0; i < rows_.count; ++i) {
      const DoubleDouble x = rows_.absent(i) ? DoubleDouble() : stack_.back()[at(i)];
      high[i] = x.hi;
      if (low) low[i] = x.lo;
    }
    return {};
  }

private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  MapOutcome apply(const Step& step) {
    using enum Operation;
    switch (step.operation) {
    case number:
      stack_.emplace_back(at(rows_.count), DoubleDouble(step.number));
      return {};
    case column:
      stack_.emplace_back(rows_.inputs[step.column], rows_.inputs[step.column] + rows_.count);
      return {};
    case add:
      return two([](auto a, auto b) { return a + b; });
    case subtract:
      return two([](auto a, auto b) { return a - b; });
    case multiply:
      return two([](auto a, auto b) { return a * b; });
    case divide:
      return two([](auto a, auto b) { return a / b; });
    case power:
      return two([](auto a, auto b) { return DoubleDouble(std::pow(a.hi, b.hi)); });
    case whole_power:
      return one([&](auto a) { return recta::feature::whole_power(a, step.number); });
    case negate:
      return one([](auto a) { return -a; });
    case log:
      return one([](auto a) { return DoubleDouble(a.hi > 0 ? std::log(a.hi) : std::nan("")); });
    case sqrt:
      return one([](auto a) { return recta::sqrt(a); });
    case exp:
      return one([](auto a) { return DoubleDouble(std::exp(a.hi)); });
    case sin:
      return one([](auto a) { return DoubleDouble(std::sin(a.hi)); });
    case cos:
      return one([](auto a) { return DoubleDouble(std::cos(a.hi)); });
    case abs:
      return one([](auto a) { return recta::abs(a); });
    case sin_of_period:
      return one([&](auto a) { return DoubleDouble(std::sin(turn(a.hi, step.number))); });
    case cos_of_period:
      return one([&](auto a) { return DoubleDouble(std::cos(turn(a.hi, step.number))); });
    }
    return {};
  }

  template <class F>
  MapOutcome one(const F& f) {
    Numbers& a = stack_.back();
    for (Index i = 0; i < rows_.count; ++i) {
      const DoubleDouble value = f(a[at(i)]);
      if (!finite(value) && !rows_.absent(i)) return undefined(i, a[at(i)].hi);
      a[at(i)] = value;
    }
    return {};
  }
  template <class F>
  MapOutcome two(const F& f) {
    const Numbers b = std::move(stack_.back());
    stack_.pop_back();
    Numbers& a = stack_.back();
    for (Index i = 0; i < rows_.count; ++i) {
      const DoubleDouble value = f(a[at(i)], b[at(i)]);
      if (!finite(value) && !rows_.absent(i)) return undefined(i, b[at(i)].hi);
      a[at(i)] = value;
    }
    return {};
  }
  static bool finite(DoubleDouble x) { return x.hi - x.hi == 0 && x.lo - x.lo == 0; }

  // The step that failed, what it was given, and the numbers of the row behind it.
  std::unexpected<MapFault> undefined(Index row, double operand) const {
    const Step& step = expression_.steps_[step_];
    std::vector<std::string> names, values;
    for (std::size_t j = 0; j < expression_.columns_.size(); ++j) {
      names.push_back(expression_.columns_[j]);
      values.push_back(quoted_name(names.back()) + " = " + number_text(rows_.inputs[j][row]));
    }
    MapFault fault{row, fmt::format("{}", fmt::join(names, ", ")), "", ""};
    const std::string what = expression_.text_of(step_ + 1), numbers = fmt::format("{}", fmt::join(values, ", "));
    const bool of_nothing = step.operation == Operation::divide ? operand == 0 : operand < 0 || operand == 0;
    const bool whole = step.operation == Operation::whole_power;
    if ((step.operation == Operation::log || step.operation == Operation::sqrt) && of_nothing) {
      const bool logarithm = step.operation == Operation::log;
      fault.what = fmt::format("{} is not a number at {}", what, numbers);
      fault.advice = fmt::format("{} needs numbers {}: add a constant inside it, or leave such rows out",
                                 logarithm ? "log" : "sqrt", logarithm ? "above zero" : "from zero up");
    } else if ((step.operation == Operation::divide && of_nothing) || (whole && step.number < 0 && operand == 0)) {
      fault.what = fmt::format("{} divides by zero at {}", what, numbers);
      fault.advice = "add a constant to the divisor, or leave such rows out";
    } else {
      fault.what = fmt::format("{} is not a finite number at {}", what, numbers);
      fault.advice = "divide the column by a constant inside the expression, or leave such rows out";
    }
    return std::unexpected(std::move(fault));
  }

  const Expression& expression_;
  const MapRows& rows_;
  std::vector<Numbers> stack_;
  std::size_t step_ = 0;
};

MapOutcome Expression::evaluate(const MapRows& rows, double* high, double* low) const {
  return Evaluation(*this, rows).run(high, low);
}

} // namespace recta::feature
