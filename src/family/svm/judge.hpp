// The certificate of a machine: the proofs of its parts joined into one.
#pragma once

#include "certificate/svm/certify.hpp"
#include "family/svm/body.hpp"
#include "family/svm/request.hpp"
#include "family/svm/rows.hpp"

namespace recta::svm {

struct Judgement {
  Certificate certificate;
  double right = kNaN; // weight of the rows whose class is predicted
};

struct Stopped {
  bool early = false, gave_up = false;
  Stop why; // of the certificate's `stop`
};

Result<Judgement> judge_machine(const MachineBody& body, const Asked& asked, const MachineRows& rows, double tolerance,
                                const Stopped& stopped, Pool& pool, const Watch& watch);

} // namespace recta::svm
