// The geometric random walk kernel (Gaertner, Flach, Wrobel 2003): walks of every length that two graphs have in
// common, along nodes of equal labels, a walk of n steps weighed by decay^n, per pair of nodes at either end:
//
//   k(x, z) = p'(I - decay W)^-1 p,   p = 1 / (|x| |z|) for every pair of nodes of equal labels,
//
// W the adjacency of those pairs: both steps are edges. The series converges if decay < 1 / (d_x d_z), d the largest
// degrees, so every graph of a fit must have decay d^2 < 1. It is summed term by term, p'(decay W)^n p, with products
// A_x V A_z that never form W; all terms are positive, and what is left out after n terms is at most q^n / (1 - q) of
// the sum, q = decay d_x d_z.
#pragma once

#include "data/graph/graph.hpp"
#include "kernel/texts.hpp"

#include <fmt/format.h>

namespace recta::kernel::random_walk {

struct Leaf {
  static constexpr std::string_view kWord = "graph:random-walk";
  static constexpr std::string_view kSummary = "walks of every length that two graphs have in common";
  static constexpr std::string_view kFormula = "sum over n of decay^n (walks of n steps in common) / (|x| |z|)^2";
  static constexpr std::array<std::string_view, 2> kTakes{"decay", "unnormalised"};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = true, kTexts = true;

  struct Read {
    std::u32string text;
    Graph graph;
    double degree = 0;
  };

  double decay;

  explicit Leaf(const Settings& settings) : decay(settings.decay) {}

  Read read(std::u32string_view text) const {
    Read out;
    out.text = text;
    read_graph(text, out.graph);
    out.degree = static_cast<double>(out.graph.largest_degree());
    return out;
  }
  double value(const Read& a, const Read& b) const {
    if (b.text < a.text) return value(b, a); // k(x, z) and k(z, x) have the same bits
    const Graph &x = a.graph, &z = b.graph;
    const std::size_t n = x.labels.size(), m = z.labels.size();
    if (n == 0 || m == 0) return 0;
    std::vector<double> same(n * m), walks, half(n * m), next(n * m);
    double sum = 0;
    for (std::size_t u = 0; u < n; ++u)
      for (std::size_t v = 0; v < m; ++v) sum += same[u * m + v] = x.labels[u] == z.labels[v] ? 1 : 0;
    walks = same;
    for (Index term = 1; term < terms(a, b); ++term) {
      for (std::size_t u = 0; u < n; ++u)
        for (std::size_t v = 0; v < m; ++v) {
          double walk_sum = 0;
          for (const Index to : z.edges[v]) walk_sum += walks[u * m + at(to)];
          half[u * m + v] = walk_sum;
        }
      double of_term = 0;
      for (std::size_t u = 0; u < n; ++u)
        for (std::size_t v = 0; v < m; ++v) {
          double walk_sum = 0;
          for (const Index to : x.edges[u]) walk_sum += half[at(to) * m + v];
          of_term += next[u * m + v] = decay * same[u * m + v] * walk_sum;
        }
      walks.swap(next);
      sum += of_term;
    }
    const double pairs = static_cast<double>(n) * static_cast<double>(m);
    return sum / (pairs * pairs);
  }
  // Relative: what is left out of the series, and the roundings of every term.
  double error(const Read& a, const Read& b) const {
    const double q = decay * a.degree * b.degree, count = static_cast<double>(terms(a, b));
    return std::pow(q, count) / (1 - q) + count * (a.degree + b.degree + 4 + pairs_of(a, b)) * 0x1p-53;
  }
  std::string fault(std::u32string_view text) const {
    Graph graph;
    if (std::string out = read_graph(text, graph); !out.empty()) return out;
    const auto degree = static_cast<double>(graph.largest_degree());
    if (decay * degree * degree < 1) return "";
    return fmt::format(
        "walks with decay {} do not converge: a node has {} edges, and the decay must be below 1 / {}^2 = "
        "{:.6g}",
        decay, degree, degree, 1 / (degree * degree));
  }
  std::string text() const { return fmt::format("walks in common, decay {}", decay); }

private:
  static double pairs_of(const Read& a, const Read& b) {
    return static_cast<double>(a.graph.labels.size() + b.graph.labels.size());
  }
  // So many that the rest is below rounding.
  Index terms(const Read& a, const Read& b) const {
    const double q = decay * a.degree * b.degree;
    if (q <= 0) return 1;
    return 2 + static_cast<Index>(std::ceil((-53 * std::log(2.0) + std::log(1 - q)) / std::log(q)));
  }
};

} // namespace recta::kernel::random_walk
