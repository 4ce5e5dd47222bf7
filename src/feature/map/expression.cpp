#include "feature/map/expression.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace recta::feature {
namespace {

constexpr std::array<std::pair<std::string_view, Operation>, 6> kFunctions{{{"log", Operation::log},
                                                                            {"sqrt", Operation::sqrt},
                                                                            {"exp", Operation::exp},
                                                                            {"sin", Operation::sin},
                                                                            {"cos", Operation::cos},
                                                                            {"abs", Operation::abs}}};
constexpr double kLargestWhole = 1000;

std::string_view function_name(Operation operation) {
  if (operation == Operation::sin_of_period) return "sin";
  if (operation == Operation::cos_of_period) return "cos";
  for (const auto& [name, known] : kFunctions)
    if (known == operation) return name;
  return "";
}

// The precedence of a text: sums 1, products 2, signs 3, powers 4, atoms 5.
struct Piece {
  std::string text;
  int tightness = 5;
  std::string within(int least) const { return tightness < least ? "(" + text + ")" : text; }
};

Piece printed(const Step& step, const std::vector<std::string>& columns, const Piece& a, const Piece& b) {
  switch (step.operation) {
  case Operation::number:
    return {number_text(step.number), step.number < 0 ? 3 : 5};
  case Operation::column:
    return {quoted_name(columns[step.column]), 5};
  case Operation::add:
    return {a.within(1) + " + " + b.within(2), 1};
  case Operation::subtract:
    return {a.within(1) + " - " + b.within(2), 1};
  case Operation::multiply:
    return {a.within(2) + "*" + b.within(3), 2};
  case Operation::divide:
    return {a.within(2) + "/" + b.within(3), 2};
  case Operation::power:
    return {a.within(5) + "^" + b.within(3), 4};
  case Operation::whole_power:
    return {a.within(5) + "^" + number_text(step.number), 4};
  case Operation::negate:
    return {"-" + a.within(3), 3};
  case Operation::sin_of_period:
  case Operation::cos_of_period:
    return {fmt::format("{}({}, {})", function_name(step.operation), a.text, number_text(step.number)), 5};
  default:
    return {fmt::format("{}({})", function_name(step.operation), a.text), 5};
  }
}

int operands(Operation operation) {
  if (operation == Operation::number || operation == Operation::column) return 0;
  return operation >= Operation::add && operation <= Operation::power ? 2 : 1;
}

} // namespace

class ExpressionParser {
public:
  explicit ExpressionParser(TokenReader& in) : in_(in) {}

  Result<Expression> parse() {
    if (auto done = sum(); !done) return std::unexpected(done.error());
    return std::move(expression_);
  }

private:
  Result<void> sum() {
    if (auto done = product(); !done) return done;
    while (in_.at_sign('+') || in_.at_sign('-')) {
      const bool plus = in_.take().text == "+";
      if (auto done = product(); !done) return done;
      put(plus ? Operation::add : Operation::subtract);
    }
    return {};
  }
  Result<void> product() {
    if (auto done = factor(); !done) return done;
    while (in_.at_sign('*') || in_.at_sign('/')) {
      const bool times = in_.take().text == "*";
      if (auto done = factor(); !done) return done;
      put(times ? Operation::multiply : Operation::divide);
    }
    return {};
  }
  Result<void> factor() {
    if (depth_ >= Expression::kDeepest)
      return map_fault(in_.text(), in_.peek().position,
                       fmt::format("more than {} parentheses, signs or powers inside one another", depth_),
                       "split it into several features");
    ++depth_;
    auto done = signed_factor();
    --depth_;
    return done;
  }
  Result<void> signed_factor() {
    if (in_.take_sign('+')) return factor();
    if (in_.take_sign('-')) {
      if (auto done = factor(); !done) return done;
      put(Operation::negate);
      return {};
    }
    if (auto done = atom(); !done) return done;
    if (!in_.take_sign('^')) return {};
    const std::size_t exponent = expression_.steps_.size();
    if (auto done = factor(); !done) return done;
    fold_power(exponent);
    return {};
  }
  // x^3 and x^-1 are products, whose digits all count; other exponents are left to pow.
  void fold_power(std::size_t exponent) {
    auto& steps = expression_.steps_;
    const bool negated = steps.size() == exponent + 2 && steps.back().operation == Operation::negate;
    const bool literal = steps[exponent].operation == Operation::number && (negated || steps.size() == exponent + 1);
    const double number = negated ? -steps[exponent].number : steps[exponent].number;
    if (!literal || number != std::floor(number) || std::abs(number) > kLargestWhole) return put(Operation::power);
    steps.resize(exponent);
    put(Operation::whole_power, number);
  }
  Result<void> atom() {
    const Token& token = in_.peek();
    if (token.kind == TokenKind::number) {
      put(Operation::number, in_.take().number);
      return {};
    }
    if (token.kind == TokenKind::name) {
      const Token name = in_.take();
      if (!name.quoted && in_.at_sign('(')) return call(name);
      return column(name);
    }
    if (!in_.take_sign('(')) return in_.expected("a column, a number, a function or (");
    if (auto done = sum(); !done) return done;
    return in_.take_sign(')') ? Result<void>{} : in_.expected(")");
  }
  Result<void> column(const Token& name) {
    std::size_t j = 0;
    while (j < expression_.columns_.size() && expression_.columns_[j] != name.text) ++j;
    if (j == expression_.columns_.size()) expression_.columns_.push_back(name.text);
    expression_.steps_.push_back({Operation::column, 0, j});
    return {};
  }
  Result<void> call(const Token& name) {
    Operation operation = Operation::number;
    for (const auto& [known, function] : kFunctions)
      if (known == name.text) operation = function;
    if (operation == Operation::number)
      return map_fault(in_.text(), name.position,
                       fmt::format("there is no function \"{}\" inside an expression", name.text),
                       "the functions are log, sqrt, exp, sin, cos and abs; poly, spline, radial, fourier and ring "
                       "stand alone");
    in_.take(); // (
    if (auto done = sum(); !done) return done;
    double period = 0;
    const bool periodic = operation == Operation::sin || operation == Operation::cos;
    if (periodic && in_.take_sign(',')) {
      const Token token = in_.peek();
      if (token.kind != TokenKind::number) return in_.expected("the period, a number,");
      if (!(token.number > 0))
        return map_fault(in_.text(), token.position, "the period is zero", "give one above zero");
      period = in_.take().number;
      operation = operation == Operation::sin ? Operation::sin_of_period : Operation::cos_of_period;
    }
    if (!in_.take_sign(')')) return in_.expected(")");
    put(operation, period);
    return {};
  }
  void put(Operation operation, double number = 0) { expression_.steps_.push_back({operation, number, 0}); }

  TokenReader& in_;
  Expression expression_;
  int depth_ = 0;
};

Result<Expression> Expression::parse(TokenReader& in) {
  return ExpressionParser(in).parse();
}

Result<Expression> Expression::parse(const std::string& text) {
  const auto tokens = tokens_of(text);
  if (!tokens) return std::unexpected(tokens.error());
  TokenReader in(text, *tokens);
  auto expression = parse(in);
  if (expression && in.peek().kind != TokenKind::end) return in.expected("an operator or the end");
  return expression;
}

std::string Expression::text_of(std::size_t steps) const {
  std::vector<Piece> stack;
  for (std::size_t s = 0; s < steps; ++s) {
    Piece a, b;
    const int operand_count = operands(steps_[s].operation);
    if (operand_count == 2) b = std::move(stack.back()), stack.pop_back();
    if (operand_count >= 1) a = std::move(stack.back()), stack.pop_back();
    stack.push_back(printed(steps_[s], columns_, a, b));
  }
  return stack.empty() ? "" : stack.back().text;
}

bool Expression::has_low() const {
  const Operation last = steps_.back().operation;
  return (last >= Operation::add && last <= Operation::divide) || last == Operation::whole_power ||
         (last == Operation::negate && steps_.size() > 2) || (last == Operation::abs && steps_.size() > 2);
}

} // namespace recta::feature
