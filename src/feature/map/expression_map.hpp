// Maps that are expressions, written by the user or for them.
#pragma once

#include "feature/map/maps.hpp"

namespace recta::feature {

// A list of expressions over the same columns, named after themselves or after the call that made them.
class ExpressionMap final : public Map {
public:
  ExpressionMap(std::vector<Expression> expressions, std::vector<std::string> columns, std::string call = {})
      : expressions_(std::move(expressions)), columns_(std::move(columns)), call_(std::move(call)) {}
  Index count() const override { return static_cast<Index>(expressions_.size()); }
  std::string name(Index k) const override;
  bool has_low() const override;
  MapOutcome evaluate(const MapRows& rows, double* high, double* low) const override;

private:
  std::vector<Expression> expressions_;
  std::vector<std::string> columns_; // in the order of the inputs
  std::string call_;
};

// `call`: what the features are named after; empty: after themselves.
Result<std::shared_ptr<const Map>> expressions_of(const std::vector<std::string>& texts,
                                                  const std::vector<std::string>& columns,
                                                  const std::string& call = {});

} // namespace recta::feature
