// The certificate of a machine: the proofs of its parts joined into one.
#pragma once

#include "certificate/svm/certify.hpp"
#include "family/svm/body.hpp"
#include "family/svm/request.hpp"
#include "family/svm/rows.hpp"

namespace recta::svm {

struct Judgement {
  Certificate certificate;
  double right = kNaN;         // weight of the rows whose class is predicted
  std::vector<double> squared; // |w|^2 of every part, by the rows
};

struct Stopped {
  bool early = false, gave_up = false;
  Stop why; // of the certificate's `stop`
};

// Beside the sums over all parts, the worst of them.
struct Joined {
  double objective = 0, null = 0, gap = 0, slack = 0, violation = 0;
  bool holds = true, near = true, same_rows = true;
  std::vector<std::string> differences{}; // of what is stated from what the rows give
  std::string shares{};                   // beside nu
};
void join(const Proof& proof, double strength, double tolerance, Joined& all);
Certificate certificate_of(const Joined& all, bool definite, double tolerance, const Stopped& stopped);

Result<Judgement> judge_machine(const MachineBody& body, const MachineSpec& spec, const MachineRows& rows,
                                double tolerance, const Stopped& stopped, Pool& pool, const Watch& watch);

} // namespace recta::svm
