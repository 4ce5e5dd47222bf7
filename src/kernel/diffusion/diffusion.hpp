// The diffusion kernel between the nodes of one graph (Kondor, Lafferty 2002):
//
//   k(u, v) = exp(-beta L)_uv,   L = D - A the Laplacian of the graph (loops cancel),
//
// the heat that reaches v after the time beta if u is hot at first. A text names a node. With d the largest degree,
//
//   exp(-t L) = exp(-t d) sum_k (t M)^k / k!,   M = d I - L,
//
// has no negative number in it, so that nothing cancels: columns are computed by this series in steps of t d <= 30,
// each to within 2^-60 of the heat. A column takes about 3 beta d + 50 products with M; columns are computed when they
// are first wanted, and kept.
#pragma once

#include "data/graph/graph.hpp"
#include "kernel/texts.hpp"

#include <fmt/format.h>
#include <mutex>

namespace recta::kernel::diffusion {

// The graph, and the columns of exp(-beta L) that were asked for.
class Heat {
public:
  Heat(Graph graph, NodeNumbers numbers, double beta);

  Index nodes() const { return graph_.nodes(); }
  Index node(std::u32string_view name) const; // -1: the graph has none of this name
  double value(Index u, Index v) const;       // by the column of the lower number, so that k(u, v) = k(v, u)
  double relative_error() const { return relative_; }
  double absolute_error() const { return absolute_; }

private:
  const std::vector<double>& column(Index u) const;
  void step(std::vector<double>& heat, std::vector<double>& term, std::vector<double>& next) const;

  Graph graph_; // without loops
  NodeNumbers numbers_;
  double degree_ = 0, time_ = 0; // time: of a step
  Index steps_ = 0, terms_ = 0;  // terms: of a step
  double relative_ = 0, absolute_ = 0;
  mutable std::mutex guard_;
  mutable std::vector<std::unique_ptr<const std::vector<double>>> columns_;
};

struct Leaf {
  static constexpr std::string_view kWord = "graph:diffusion";
  static constexpr std::string_view kSummary = "heat that passes between two nodes of one graph";
  static constexpr std::string_view kFormula = "exp(-beta L), L the Laplacian of the graph, at two of its nodes";
  static constexpr std::array<std::string_view, 3> kTakes{"beta", "network", "unnormalised"};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = true, kTexts = true;

  struct Read {
    Index node = -1;
  };

  double beta;
  std::shared_ptr<const Heat> heat; // null: the settings are refused

  explicit Leaf(const Settings& settings);
  static Fault fault_of(const Settings& settings);

  Read read(std::u32string_view text) const { return {heat ? heat->node(text) : -1}; }
  double value(const Read& a, const Read& b) const {
    return a.node < 0 || b.node < 0 ? 0 : heat->value(a.node, b.node);
  }
  double error(const Read&, const Read&) const { return heat ? heat->relative_error() : 0; }
  double slack(const Read&, const Read&) const { return heat ? heat->absolute_error() : 0; }
  std::string fault(std::u32string_view text) const;
  std::string text() const {
    return fmt::format("exp(-{} L) at two of {} nodes", beta, heat ? heat->nodes() : Index{0});
  }
};

} // namespace recta::kernel::diffusion
