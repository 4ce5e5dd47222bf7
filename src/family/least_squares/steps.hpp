// The steps of least squares and ridge.
#pragma once

#include "certificate/least_squares/certify.hpp"
#include "family/least_squares/least_squares.hpp"

namespace recta {

struct Posed {
  LeastSquaresProblem problem;
  std::vector<std::string> notes; // decisions made on the way, for the conditions of the certificate
};
Result<Posed> pose(const Request& request, const Rows& rows, double weight, std::shared_ptr<const Gram> gram,
                   bool tracing = false);

struct LinearClaim {
  LeastSquaresSolution solution;
  std::string first; // the solver of the first answer
};

class LinearSteps : public Steps<Posed, LinearClaim, Checked> {
protected:
  // A solver's solution as a claim, with the notes of the problem.
  static LinearClaim concluded(const Work& work, const Posed& posed, LeastSquaresSolution solution);

  Result<void> admit(Work& work) const override;
  bool takes_statistics() const override { return true; }
  Result<FirstPass> read(Work& work) const override;
  Result<Posed> pose(Work& work) const override;
  Result<LinearClaim> solve(Work& work, const Posed& posed) const override;
  Result<LinearClaim> stated(Work& work, const Posed& posed) const override;
  Result<Checked> prove(Work& work, const Posed& posed, const LinearClaim& claim) const override;
  Result<std::optional<LinearClaim>> another(Work& work, const Posed& posed, const LinearClaim& best,
                                             const Checked& checked, int tried) const override;
  Result<void> describe(Work& work, const Posed& posed, const LinearClaim& claim, Checked& checked) const override;
  Result<void> compare(Work& work, const Posed& posed, const LinearClaim& claim, Checked& checked) const override;
};

} // namespace recta
