// Answers for tables with documents, together with the terms that the model does not know. Every document is read once,
// where unknown_terms() before or after Model::predict() would read it twice.
#pragma once

#include <recta/decide.hpp>
#include <recta/diagnosis.hpp>
#include <recta/estimator.hpp>
#include <recta/evaluate.hpp>

namespace recta {

// Model::predict(), decide(), predict_interval() and evaluate(). `unknown` is set anew; of a model without texts it
// says nothing.
Result<Values> predict(const Model& model, const Dataset& data, UnknownTerms& unknown, int threads = 0,
                       Answer answer = Answer::prediction);
Result<Values> decide(const Model& model, const Dataset& data, const Costs& costs, UnknownTerms& unknown,
                      int threads = 0);
Result<Values> decide(const Model& model, const Dataset& data, UnknownTerms& unknown, int threads = 0);
Result<Intervals> predict_interval(const Model& model, const Dataset& data, UnknownTerms& unknown, double level = 0.95,
                                   IntervalOf of = IntervalOf::observation, int threads = 0);
Result<Evaluation> evaluate(const Model& model, const Dataset& data, UnknownTerms& unknown,
                            const std::string& loss = "");

} // namespace recta
