#include "family/kernel_pca/component_pictures.hpp"

#include "base/numbers.hpp"
#include "classes/unread_labels.hpp"
#include "family/kernel_pca/body.hpp"
#include "plot/style.hpp"

#include <recta/explain.hpp>

#include <fmt/format.h>

namespace recta::kernel_pca {
namespace {

std::string kernel_name(const ComponentsBody& body) {
  return body.learned().kernel.linear() ? "principal components" : "components of the kernel " + body.kernel().text();
}

std::string share_text(const Learned& learned, Index k) {
  return fmt::format("component {} ({:.3g} % of the variance)", k + 1, 100 * learned.variance[at(k)] / learned.total);
}

} // namespace

Result<plot::Picture> components_picture(const Model& model, const Dataset& data) {
  const auto& body = dynamic_cast<const ComponentsBody&>(*model.body);
  const Learned& learned = body.learned();
  if (learned.components() < 2)
    return fail(ErrorCode::usage, "components", "two components make a plane, and this model has one",
                "fit it with --components 2");
  const auto coordinates = transform(model, data);
  if (!coordinates) return std::unexpected(coordinates.error());
  const RowLabels labels = unread_labels(model, data, plot::kColours);
  plot::Picture out{.title = "Rows by their first two components",
                    .subtitle = fmt::format("{}, {} rows", kernel_name(body), data.rows)};
  out.x.label = share_text(learned, 0), out.y.label = share_text(learned, 1);
  out.height = 520;
  for (Index k = 0; k < std::max<Index>(1, std::ssize(labels.names)); ++k) {
    plot::Points points{.label = labels.names.empty() ? "" : fmt::format("{} {}", labels.column, labels.names[at(k)]),
                        .colour = static_cast<int>(k)};
    for (Index i = 0; i < data.rows; ++i)
      if (labels.names.empty() || labels.place[at(i)] == k) {
        points.x.push_back((*coordinates)[at(i * learned.components())]);
        points.y.push_back((*coordinates)[at(i * learned.components() + 1)]);
      }
    out.layers.emplace_back(std::move(points));
  }
  return out;
}

Result<plot::Picture> variance_picture(const Model& model) {
  const auto& body = dynamic_cast<const ComponentsBody&>(*model.body);
  const Learned& learned = body.learned();
  plot::Line each{.label = "of this component", .colour = 0, .dotted = true};
  plot::Line together{.label = "of all up to it", .colour = 1, .dotted = true};
  double sum = 0;
  for (Index k = 0; k < learned.components(); ++k) {
    const double share = learned.variance[at(k)] / learned.total;
    sum += share;
    each.x.push_back(static_cast<double>(k + 1)), each.y.push_back(share);
    together.x.push_back(static_cast<double>(k + 1)), together.y.push_back(sum);
  }
  plot::Picture out{.title = "Share of the variance", .subtitle = kernel_name(body)};
  out.x.label = "component", out.y = {.label = "share of the variance", .low = 0, .high = 1};
  out.layers = {std::move(each), std::move(together)};
  return out;
}

} // namespace recta::kernel_pca
