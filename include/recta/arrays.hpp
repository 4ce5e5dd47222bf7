// What can be done with arrays besides fitting them: the features that maps make of their columns (docs/features.md),
// and predictions with an offset a row. y is not looked at.
#pragma once

#include <recta/diagnosis.hpp>

namespace recta {

// The columns of `rows.dense` with the maps that `poly`, `poly_terms`, `basis` and `feature` of the options ask for, as
// a fit would learn them: knots lie between the least and the largest value among the rows of positive weight.
Result<Schema> learn_features(const Arrays& rows, const FitOptions& options = {});
// One row of features a row of x, whose columns are those the schema was learned from, each number rounded to a double.
Result<Values> make_features(const Schema& schema, const MatrixView& x);
std::vector<std::string> feature_names(const Schema& schema);
Result<std::vector<std::string>> columns_read(const std::string& map); // by its text, each column once

// With `rows.offset` where the model was fitted with one, and only there.
Result<Values> predict(const Model& model, const Arrays& rows, int threads = 0, Answer answer = Answer::prediction);
Result<Intervals> predict_interval(const Model& model, const Arrays& rows, double level = 0.95,
                                   IntervalOf of = IntervalOf::observation, int threads = 0);

} // namespace recta
