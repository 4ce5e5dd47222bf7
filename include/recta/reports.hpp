// Reports of a model, of the explanation of a row, of a diagnosis, of a comparison and of a descent.
#pragma once

#include <recta/curve.hpp>
#include <recta/report.hpp>

namespace recta {
struct Checkup;
struct Comparison;
struct Diagnosis;
} // namespace recta

namespace recta::report {

// A model in parts, which commands arrange: the keys of its JSON, what it learned, how well it fits, and its lines.
struct ModelParts {
  Group data;
  std::vector<Section> learned, quality;
  Section lines;
};
ModelParts parts_of(const Model& model);
Sentence title_of(const Model& model, const std::string& source = {});
std::string objective_of(const Model& model); // with the strengths that it names
Group data_of(const Certificate& certificate);
Group data_of(const Params& params);
Sentence sentence_of(const Certificate& certificate);

// The whole of a model. With a diagnosis, the tests of its residuals too.
Document document_of(const Model& model, const std::string& title = {}, const Diagnosis* diagnosis = nullptr);
Document document_of(const Report& report); // tables, figures and remarks of a body

const char* type_name(ColumnType type);

// The data that were read, where the indices of sparse ones start, and how long reading took. Without a source the cost
// of a fit is not told.
struct CheckupView {
  std::string source{}, indices{};
  double seconds = 0;
};
Document document_of(const Checkup& checkup, const CheckupView& view = {});

// `top` rows are shown, those that have the most influence; 0: all.
struct DiagnosisView {
  std::string file{}, source{}; // empty: the model and the rows have no names
  Index top = 10, first_row = 1;
};
Document document_of(const Model& model, const Diagnosis& diagnosis, const DiagnosisView& view);
Document document_of(const Comparison& comparison, const std::string& small, const std::string& large);

bool learns(const std::string& word); // a perceptron or a delta rule: they have training curves
std::string against_rest(const Trace& trace);

// One of the settings that stand side by side: its rows, and how they were learned from.
struct Setting {
  std::string title, source, schedule;
  std::vector<TrainingCurve> curves; // for two classes a single one, else one per class
};
// `top` weights are shown, 0: all. Posteriors of no steps: none.
Document trace_document(const std::vector<TrainingCurve>& curves, const std::string& source,
                        const Posteriors& posteriors, Index top);
Document settings_document(const std::vector<Setting>& settings, Index top);

} // namespace recta::report
