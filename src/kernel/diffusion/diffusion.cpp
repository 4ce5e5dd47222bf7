#include "kernel/diffusion/diffusion.hpp"

#include "base/numbers.hpp"
#include "base/utf8.hpp"
#include "data/dataset.hpp"

namespace recta::kernel::diffusion {
namespace {

constexpr Index kMostNodes = 10'000; // all columns take 800 MB
constexpr double kMostHeat = 10'000; // beta times the largest degree: 30,000 products per column
constexpr double kMostOfAStep = 30;  // exp(-30) and exp(30) keep all digits
constexpr double kLeftOut = 0x1p-60; // of the heat, per step

std::u32string_view without_blanks(std::u32string_view name) {
  const std::size_t first = name.find_first_not_of(U" \t\r\n");
  if (first == name.npos) return {};
  return name.substr(first, name.find_last_not_of(U" \t\r\n") - first + 1);
}

} // namespace

Heat::Heat(Graph graph, NodeNumbers numbers, double beta)
    : graph_(std::move(graph)), numbers_(std::move(numbers)), columns_(graph_.labels.size()) {
  for (Index u = 0; u < graph_.nodes(); ++u) std::erase(graph_.edges[at(u)], u);
  degree_ = static_cast<double>(graph_.largest_degree());
  steps_ = std::max<Index>(1, static_cast<Index>(std::ceil(beta * degree_ / kMostOfAStep)));
  time_ = beta / static_cast<double>(steps_);
  // The rows of M / d add up to one, so what is left out after k terms is at most that tail of a Poisson distribution
  // of mean c = t d: its first term over 1 - c / (k + 1).
  const double c = time_ * degree_;
  double left = std::exp(-c);
  for (terms_ = 1; left > 0; ++terms_) {
    left *= c / static_cast<double>(terms_);
    const double ratio = c / static_cast<double>(terms_ + 1);
    if (ratio < 1 && left / (1 - ratio) < kLeftOut) break;
  }
  const auto steps = static_cast<double>(steps_), terms = static_cast<double>(terms_);
  // Every product has a sum of at most d + 1 numbers and two factors, of which exp(-c) carries the rounding of c.
  relative_ = steps * (terms * (degree_ + 5) + c + 8) * 0x1p-53;
  absolute_ = steps * kLeftOut;
}

Index Heat::node(std::u32string_view name) const {
  const auto entry = numbers_.find(std::u32string(without_blanks(name)));
  return entry == numbers_.end() ? -1 : entry->second;
}

double Heat::value(Index u, Index v) const {
  return column(std::min(u, v))[at(std::max(u, v))];
}

const std::vector<double>& Heat::column(Index u) const {
  {
    const std::lock_guard lock(guard_);
    if (columns_[at(u)]) return *columns_[at(u)];
  }
  auto heat = std::make_unique<std::vector<double>>(graph_.labels.size()); // two threads may compute the same bits
  std::vector<double> term(heat->size()), next(heat->size());
  (*heat)[at(u)] = 1;
  for (Index k = 0; k < steps_; ++k) step(*heat, term, next);
  const std::lock_guard lock(guard_);
  if (!columns_[at(u)]) columns_[at(u)] = std::move(heat);
  return *columns_[at(u)];
}

// heat becomes exp(-t L) heat.
void Heat::step(std::vector<double>& heat, std::vector<double>& term, std::vector<double>& next) const {
  const double factor = std::exp(-time_ * degree_);
  for (std::size_t u = 0; u < heat.size(); ++u) heat[u] = term[u] = factor * heat[u];
  for (Index k = 1; k < terms_; ++k) {
    const double scale = time_ / static_cast<double>(k);
    for (std::size_t u = 0; u < heat.size(); ++u) {
      double sum = (degree_ - static_cast<double>(graph_.edges[u].size())) * term[u];
      for (const Index v : graph_.edges[u]) sum += term[at(v)];
      next[u] = scale * sum;
    }
    term.swap(next);
    for (std::size_t u = 0; u < heat.size(); ++u) heat[u] += term[u];
  }
}

Leaf::Leaf(const Settings& settings) : beta(settings.beta) {
  if (!fault_of(settings).empty()) return;
  Graph graph;
  NodeNumbers numbers;
  read_graph(text::codes_of(settings.network), graph, &numbers);
  heat = std::make_shared<const Heat>(std::move(graph), std::move(numbers), beta);
}

Fault Leaf::fault_of(const Settings& settings) {
  if (!(settings.beta > 0 && settings.beta <= 1e6)) return {"beta is above 0 and at most 1e6"};
  if (settings.network.empty())
    return {"the graph whose nodes the rows name is missing",
            "give it with --network @FILE, a file of one edge per line, or as text: --network \"a-b;b-c\""};
  if (invalid_utf8(settings.network) != std::string::npos)
    return {"the graph is not written in UTF-8", "convert it first"};
  Graph graph;
  if (std::string fault = read_graph(text::codes_of(settings.network), graph); !fault.empty())
    return {std::move(fault), "correct the network"};
  if (graph.nodes() > kMostNodes)
    return {fmt::format("the graph has {} nodes, and heat is kept for up to {}", graph.nodes(), kMostNodes),
            "leave out nodes that are far from those of the rows"};
  const auto degree = static_cast<double>(graph.largest_degree());
  if (settings.beta * degree > kMostHeat)
    return {
        fmt::format("beta is {} and a node has {} edges: their product is above {}", settings.beta, degree, kMostHeat),
        fmt::format("give beta = {:.6g} or less", kMostHeat / degree)};
  return {};
}

std::string Leaf::fault(std::u32string_view text) const {
  if (without_blanks(text).empty()) return "it names no node of the graph";
  if (read(text).node >= 0) return "";
  return fmt::format("the graph has no node \"{}\"", text::utf8_of(without_blanks(text).substr(0, 60)));
}

} // namespace recta::kernel::diffusion
