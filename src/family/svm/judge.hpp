// The claim of a machine, and the certificate that its rows make of it.
#pragma once

#include "certificate/svm/machine.hpp"
#include "driver/work.hpp"
#include "family/svm/body.hpp"
#include "family/svm/request.hpp"
#include "family/svm/rows.hpp"

namespace recta::svm {

using Draft = recta::Draft<MachineBody>; // without the figures that the proof finds

inline Ended ended_of(const Draft& draft) {
  return {draft.stop, draft.ended_early, draft.gave_up};
}
StatedPart stated_part(const Machine& machine, const Part& part);
std::vector<std::span<const Index>> supports_of(const Machine& machine);

Result<Judged> judge_machine(Work& work, const MachineSpec& spec, const MachineRows& rows, const Draft& draft,
                             const Watch& watch);

} // namespace recta::svm
