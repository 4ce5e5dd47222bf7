// Least squares and ridge from any rows to a model, and from a model and any rows back to its certificate.
#pragma once

#include "family/first_pass.hpp"
#include "solver/least_squares.hpp"

namespace recta {

Result<Model> fit_linear(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
// fit_linear() after the first pass.
Result<Model> fit_linear(const Request& request, Schema schema, const Rows& rows, FirstPass pass, const Clock& clock);

// The steps of a fit, for those who take them otherwise: what is to be solved, and what is made of its solution.
struct Posed {
  LeastSquaresProblem problem;
  std::vector<std::string> notes; // decisions made on the way, for the conditions of the certificate
};
Result<Posed> pose(const Request& request, const Rows& rows, double weight, std::shared_ptr<const Gram> gram,
                   bool tracing = false);
struct Solved {
  const Request& request;
  Schema schema;
  const Rows& rows;
  Posed posed;
};
Result<Model> conclude(Solved solved, const FirstPass& pass, LeastSquaresSolution solution, Pool& pool,
                       const Clock& clock);

// Least squares by single rows as they arrive, from what can be read only once.
Result<Model> fit_arriving(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Trace> trace_linear(const Request& request, const Schema& schema, const Rows& rows, Index every,
                           const Clock& clock);

Result<Certificate> verify_linear(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta
