#include "params/listed_values.hpp"

#include "feature/classes.hpp"
#include "params/params.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta {
namespace {

std::vector<std::string> pieces(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::size_t from = 0;
  for (std::size_t end = 0; end != std::string::npos; from = end + 1) {
    end = text.find(separator, from);
    out.push_back(text.substr(from, end == std::string::npos ? end : end - from));
  }
  return out;
}

Result<double> read_share(const std::string& text, const std::string& label, const std::string& where) {
  const auto value = read_double(text);
  if (value && *value >= 0 && *value <= 1) return *value;
  return refuse(where, fmt::format("\"{}\" is not a probability (of class {})", text, label),
                "learned, uniform, LABEL=P,... or P/P/... in the order of the classes");
}

// One text per class, in their order; empty where none was given.
Result<std::vector<std::string>> texts_by_class(const std::string& text, const Classes& classes,
                                                const std::string& where) {
  const ListedValues listed = listed_values(text);
  if (!listed.in_order.empty()) return listed.in_order;
  std::vector<std::string> texts(classes.labels.size());
  for (const auto& [label, value] : listed.named) {
    const auto place = feature::named_class(classes, label, where);
    if (!place) return std::unexpected(place.error());
    texts[at(*place)] = value;
  }
  return texts;
}

} // namespace

ListedValues listed_values(const std::string& text) {
  ListedValues out;
  for (const std::string& item : pieces(text, ',')) {
    const std::size_t equals = item.rfind('=');
    if (equals != std::string::npos)
      out.named.emplace_back(item.substr(0, equals), item.substr(equals + 1));
    else if (item.find('/') != std::string::npos)
      out.in_order = pieces(item, '/');
    else
      out.all = item;
  }
  return out;
}

std::optional<double> read_double(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

Result<void> check_length(const std::string& where, std::size_t given, std::size_t wanted) {
  if (given == wanted) return {};
  return refuse(where, fmt::format("there are {} values in order, and {} are expected", given, wanted),
                "give one for each, with / between them");
}

Result<std::vector<double>> priors(const std::string& model, const Params& params, const Classes& classes,
                                   const std::vector<double>& weight) {
  const std::string text = word(params, "priors"), where = model + ", parameter priors";
  const std::size_t count = classes.labels.size();
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  std::vector<double> out(count, 1 / static_cast<double>(count));
  if (text == "uniform") return out;
  if (text == "learned") {
    for (std::size_t k = 0; k < count; ++k) out[k] = weight[k] / total;
    return out;
  }
  const auto texts = texts_by_class(text, classes, where);
  if (!texts) return std::unexpected(texts.error());
  if (auto good = check_length(where, texts->size(), count); !good) return std::unexpected(good.error());
  for (std::size_t k = 0; k < count; ++k) {
    const auto share = read_share((*texts)[k], classes.labels[k], where);
    if (!share) return std::unexpected(share.error());
    out[k] = *share;
  }
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  if (std::abs(sum - 1) > 1e-9)
    return refuse(where, fmt::format("the priors add up to {}", sum), "give one probability for every class, 1 in all");
  return out;
}

} // namespace recta
