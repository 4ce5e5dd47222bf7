// Whether rows are those that a model was trained on: what they say about the model would flatter it.
#pragma once

#include <recta/estimator.hpp>

namespace recta {

// The fingerprint of the rows as the model's schema reads them. Some families number classes in a way of their own
// before they take theirs: is_trained_on() asks such a family if the rows may be the same.
Result<Fingerprint> fingerprint_of(const Model& model, const Dataset& data, const Watch& watch);
bool is_trained_on(const Model& model, const Dataset& data, const Fingerprint& here, const Watch& watch);

// Why these may be the training rows in another order, which a fingerprint does not tell: as many rows as were trained
// on that prove the model, or that give it again if it is fitted to them. Nothing if they are not. Parts of the
// training rows cannot be recognised, nor can other orders if the answer of the family depends on the order.
std::optional<std::string> signs_of_training(const Model& model, const Dataset& data, const Fingerprint& here,
                                             const Watch& watch);

// Whether as many rows as the proof was made with prove the model, as those do in any order.
bool is_proved_by(const Model& model, const Dataset& data, const Fingerprint& here, const Watch& watch);

// Whether two classifiers give these rows the same scores, to six digits of the largest.
Result<bool> score_alike(const Model& model, const Model& other, const Dataset& data, int threads);

} // namespace recta
