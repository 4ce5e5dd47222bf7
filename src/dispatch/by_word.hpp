// From the word of a model to the code of its family.
#pragma once

#include "dispatch/elastic_net.hpp"
#include "dispatch/group_norm.hpp"
#include "dispatch/group_order.hpp"
#include "dispatch/linear.hpp"
#include "dispatch/loss.hpp"
#include "dispatch/loss_descent.hpp"
#include "dispatch/loss_order.hpp"
#include "dispatch/need.hpp"
#include "dispatch/net_order.hpp"
#include "dispatch/perceptron.hpp"
#include "dispatch/ridge_classifier.hpp"
#include "dispatch/softmax.hpp"

namespace recta {

inline Result<Model> fit_rows(const Order& order, Schema schema, const Rows& rows, const Clock& clock) {
  if (auto good = check_need(order, rows); !good) return std::unexpected(good.error());
  const std::string& word = order.info->word;
  if (is_net(word)) return fit_elastic_net(order, std::move(schema), rows, clock);
  if (is_group_norm(word)) return fit_group_norm(order, std::move(schema), rows, clock);
  if (word == "softmax") return fit_softmax(order, std::move(schema), rows, clock);
  if (is_loss_model(word)) return fit_loss(order, std::move(schema), rows, clock);
  if (is_threshold_unit(word)) return fit_threshold_unit(order, std::move(schema), rows, clock);
  if (word == kRidgeClassifier) return fit_ridge_classifier(order, std::move(schema), rows, clock);
  return fit_linear(order, std::move(schema), rows, clock);
}
inline Result<Model> fit_seen(const Order& order, Schema schema, const Rows& rows, FirstPass seen, const Clock& clock) {
  const std::string& word = order.info->word;
  if (is_net(word)) return fit_elastic_net(order, std::move(schema), rows, std::move(seen), clock);
  if (is_group_norm(word)) return fit_group_norm(order, std::move(schema), rows, std::move(seen), clock);
  if (is_loss_model(word) || word == "softmax" || is_threshold_unit(word) || word == kRidgeClassifier)
    return fail(ErrorCode::usage, word, "it reads the rows several times, and merged statistics do not hold them",
                "fit it from the rows");
  return fit_linear(order, std::move(schema), rows, std::move(seen), clock);
}
inline Result<Certificate> verify_rows(const Model& model, const Rows& rows, const Clock& clock) {
  if (is_net(model.word)) return verify_elastic_net(model, rows, clock);
  if (is_group_norm(model.word)) return verify_group_norm(model, rows, clock);
  if (model.word == "softmax") return verify_softmax(model, rows, clock);
  if (is_loss_model(model.word)) return verify_loss(model, rows, clock);
  if (is_threshold_unit(model.word)) return verify_threshold_unit(model, rows, clock);
  if (model.word == kRidgeClassifier) return verify_ridge_classifier(model, rows, clock);
  return verify_linear(model, rows, clock);
}

inline Result<Trace> trace_rows(const Order& order, const Schema& schema, const Rows& rows, Index every,
                                const Clock& clock) {
  if (!is_threshold_unit(order.info->word))
    return order.info->classes || is_loss_model(order.info->word) ? trace_loss(order, schema, rows, every, clock)
                                                                  : trace_linear(order, schema, rows, every, clock);
  auto curve = curve_of(order, schema, rows, every, clock);
  if (!curve) return std::unexpected(curve.error());
  return std::move(curve->trace);
}

} // namespace recta
