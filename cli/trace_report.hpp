// The output of recta trace: as JSON, and as tables of the steps.
#pragma once

#include "terminal.hpp"

#include <recta/curve.hpp>

namespace recta::cli {

// One of the settings that stand side by side: its rows, and how they were learned from.
struct Setting {
  std::string title, source, schedule;
  std::vector<TrainingCurve> curves; // for two classes a single one, else one per class
};

bool learns(const std::string& word); // a perceptron or a delta rule: they have training curves
std::string against_rest(const Trace& trace);

std::string trace_json(const std::vector<TrainingCurve>& curves, const std::string& source,
                       const Posteriors& posteriors); // none: of no steps
std::string settings_json(const std::vector<Setting>& settings);
std::string trace_text(const std::vector<TrainingCurve>& curves, const std::string& source, const Voice& voice,
                       Index top);
std::string posteriors_text(const Posteriors& posteriors, const Trace& trace, const Voice& voice);
std::string settings_text(const std::vector<Setting>& settings, const Voice& voice, Index top);

} // namespace recta::cli
