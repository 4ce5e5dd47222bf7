// From the word of a model to the code of its family.
#pragma once

#include "dispatch/elastic_net.hpp"
#include "dispatch/linear.hpp"
#include "dispatch/net_order.hpp"

namespace recta {

inline Result<Model> fit_rows(const Order& order, Schema schema, const Rows& rows, const Clock& clock) {
  return is_net(order.info->word) ? fit_elastic_net(order, std::move(schema), rows, clock)
                                  : fit_linear(order, std::move(schema), rows, clock);
}
inline Result<Model> fit_seen(const Order& order, Schema schema, const Rows& rows, FirstPass seen, const Clock& clock) {
  return is_net(order.info->word) ? fit_elastic_net(order, std::move(schema), rows, std::move(seen), clock)
                                  : fit_linear(order, std::move(schema), rows, std::move(seen), clock);
}
inline Result<Certificate> verify_rows(const Model& model, const Rows& rows, const Clock& clock) {
  return is_net(model.word) ? verify_elastic_net(model, rows, clock) : verify_linear(model, rows, clock);
}

} // namespace recta
