// The schema: what the columns are and how they become features, learned from the rows of a request.
#pragma once

#include "data/kept_input.hpp"
#include "driver/first_pass.hpp"
#include "feature/learn.hpp"
#include "feature/text_columns.hpp"

namespace recta {

// `texts`: gets the terms of the documents, if the schema has any and they are asked for.
Result<Schema> learn_from_table(const TableView& data, const Request& request, const FitOptions& options,
                                std::shared_ptr<const feature::TextRows>* texts = nullptr);
// Categories, fill-in values and knots are learned in a pass of their own, before the rows can be encoded; how many
// sparse columns there are is known at the end of one. What needs neither is let go, and may be read once.
Result<Schema> learn_from_stream(KeptStream& stream, const Request& request, const FitOptions& options,
                                 const Clock& clock);

// The schema of a table whose rows are elsewhere: each part is surveyed by itself, and what was seen is joined.
class SurveyedSchema {
public:
  // `header`: the columns of the table, whatever rows it has. An error if the options ask for what cannot be joined.
  static Result<SurveyedSchema> make(const Dataset& header, const Request& request);
  Result<std::string> survey(const Dataset& part) const; // of its rows
  Result<void> add(std::string_view survey);             // of rows that follow those before
  std::string to_bytes() const; // of all surveys that were added, without terms that no fit will see
  Result<Schema> finish(const Request& request, const std::string& source) const;

private:
  SurveyedSchema(Schema draft, const feature::SchemaLearner& untaught, feature::TargetKind kind,
                 feature::TextLearner texts);

  Schema draft_;
  feature::TargetKind kind_;
  feature::SchemaLearner untaught_; // has learned nothing yet
  feature::SchemaLearner all_;
  feature::TextLearner texts_;
};

} // namespace recta
