// An expression over columns: read by recursive descent into a list of steps for a stack, printed back in one canonical
// form, worked out a block of rows at a time. It is data, never code: there is nothing it can call or reach but the
// columns it names.
//
//   sum     = product { ("+" | "-") product }
//   product = factor { ("*" | "/") factor }
//   factor  = ("-" | "+") factor | atom [ "^" factor ]
//   atom    = number | column | function "(" sum [ "," period ] ")" | "(" sum ")"
//
// Numbers are double-double through + - * / ^n and sqrt, so a product of columns keeps the digits that a double drops;
// log, exp, sin, cos and powers that are no whole number are those of double precision.
#pragma once

#include "base/double_double.hpp"
#include "feature/map/lexer.hpp"

#include <expected>

namespace recta::feature {

enum class Operation : std::uint8_t {
  number,
  column,
  add,
  subtract,
  multiply,
  divide,
  power,       // of any two
  whole_power, // to a whole number, `number`
  negate,
  log,
  sqrt,
  exp,
  sin,
  cos,
  abs,
  sin_of_period, // sin(2 pi x / number)
  cos_of_period
};

struct Step {
  Operation operation = Operation::number;
  double number = 0;
  std::size_t column = 0; // index into Expression::columns
};

// Rows to work on. `present` is null, or zero if a row is absent: its features are zero whatever its numbers.
struct MapRows {
  std::vector<const double*> inputs; // one per column, in the order of its owner
  Index count = 0;
  const double* present = nullptr;

  bool absent(Index i) const { return present != nullptr && present[i] == 0; }
};

// Why a row has no feature; the caller knows which file and which row of it.
struct MapFault {
  Index row = 0;
  std::string column, what, advice;
};
using MapOutcome = std::expected<void, MapFault>;

class Expression {
public:
  static constexpr int kDeepest = 64; // parentheses, signs and powers inside one another

  static Result<Expression> parse(const std::string& text);
  static Result<Expression> parse(TokenReader& in); // up to the first token that cannot belong to it

  const std::vector<std::string>& columns() const { return columns_; } // each once, in the order they first stand
  const std::vector<Step>& steps() const { return steps_; }
  std::string text() const { return text_of(steps_.size()); }
  bool has_low() const; // what does not fit into a double is kept

  // rows.inputs: one per column of this expression. `low` may be null.
  MapOutcome evaluate(const MapRows& rows, double* high, double* low) const;

private:
  friend class ExpressionParser;
  friend class Evaluation;
  std::string text_of(std::size_t steps) const; // of the value that is on top after so many steps

  std::vector<Step> steps_;
  std::vector<std::string> columns_;
};

} // namespace recta::feature
