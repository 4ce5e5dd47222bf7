#include "objective/naive_bayes/estimates.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace recta::naive_bayes {
namespace {

// log(a / b) where a may be 0.
double log_share(double part, double whole) {
  return part > 0 ? std::log(part / whole) : -kInfinity;
}

// The words of one class, or of all classes if it has none. Most words of a long vocabulary do not occur in a class, or
// as often as the one before: their logarithms are known.
struct BagOfClass {
  const double* cells = nullptr;
  double total = 0;
  double part = kNaN, logarithm = 0;   // of the last word that occurs
  double absent = kNaN, of_absent = 0; // what is added to a word that does not occur, and its logarithm

  double log_of(Index c, double alpha) {
    if (cells[c] == 0) {
      if (alpha != absent) of_absent = log_share(absent = alpha, total);
      return of_absent;
    }
    if (cells[c] + alpha != part) logarithm = log_share(part = cells[c] + alpha, total);
    return logarithm;
  }
};

struct Maker {
  const Layout& layout;
  const Counts& counts;
  const Counts all; // of all classes; empty if there are only words
  const Smoothing& smoothing;
  std::vector<double>& table;
  const std::vector<double> added =
      layout.has(Likelihood::gaussian) ? added_variances(layout, all, smoothing) : std::vector<double>{};

  double& cell(Index c, Index k) const { return table[at(c * layout.classes + k)]; }

  void gaussian(const Factor& factor, Index k) const {
    for (Index j = 0; j < factor.count; ++j) {
      const Moments total = moments_of(factor, j, all.cells.data());
      Moments moments = moments_of(factor, j, counts.of_class(layout, k));
      if (!(moments.weight > 0)) moments = total;
      const double variance = moments.weight > 0 ? moments.scatter / moments.weight + added[at(factor.first + j)] : 0;
      if (!(variance > 0)) continue; // zeros: no factor
      cell(factor.cell + j, k) = -0.5 * std::log(2 * std::numbers::pi * variance);
      cell(factor.cell + factor.count + j, k) = moments.mean;
      cell(factor.cell + 2 * factor.count + j, k) = 0.5 / variance;
    }
  }

  void bernoulli(const Factor& factor, Index k) const {
    for (Index j = 0; j < factor.count; ++j) {
      const double alpha = smoothing.of(factor.first + j);
      const double* from = counts.of_class(layout, k) + factor.cell + j;
      if (!(from[0] + from[factor.count] + alpha > 0)) from = all.cells.data() + factor.cell + j;
      const double zeros = from[0] + alpha, ones = from[factor.count] + alpha;
      if (!(zeros + ones > 0)) continue;
      cell(factor.cell + j, k) = log_share(zeros, zeros + ones);
      cell(factor.cell + factor.count + j, k) = log_share(ones, zeros + ones);
    }
  }

  void categorical(const Factor& factor, Index k) const {
    const double alpha = smoothing.of(factor.first);
    const double* from = counts.of_class(layout, k) + factor.cell;
    const auto sum = [&](const double* cells) {
      double total = 0;
      for (Index v = 0; v < factor.cells(); ++v) total += cells[v] + alpha;
      return total;
    };
    double total = sum(from);
    if (!(total > 0)) total = sum(from = all.cells.data() + factor.cell);
    if (!(total > 0)) return;
    for (Index v = 0; v < factor.cells(); ++v) cell(factor.cell + v, k) = log_share(from[v] + alpha, total);
  }

  // The cells of all factors of the bag, with what is added to each.
  template <class Visit>
  void each_of_bag(Likelihood kind, const Visit& visit) const {
    for (const Factor& factor : layout.factors)
      if (factor.kind == kind)
        for (Index j = 0; j < factor.count; ++j) visit(factor.cell + j, smoothing.of(factor.first + j));
  }

  // All classes side by side, as the table has them.
  void multinomial() const {
    std::vector<BagOfClass> bags(at(layout.classes));
    const auto bag_of = [&](const double* cells) {
      BagOfClass bag{.cells = cells};
      each_of_bag(Likelihood::multinomial, [&](Index c, double alpha) { bag.total += cells[c] + alpha; });
      return bag;
    };
    Counts whole;
    for (Index k = 0; k < layout.classes; ++k) {
      bags[at(k)] = bag_of(counts.of_class(layout, k));
      if (bags[at(k)].total > 0) continue;
      if (whole.cells.empty()) whole = pooled(layout, counts);
      bags[at(k)] = bag_of(whole.cells.data());
    }
    each_of_bag(Likelihood::multinomial, [&](Index c, double alpha) {
      for (Index k = 0; k < layout.classes; ++k)
        if (bags[at(k)].total > 0) cell(c, k) = bags[at(k)].log_of(c, alpha);
    });
  }

  // The counts of all other classes are added up, those before and those after: taken from the whole, they would be
  // lost beside a class that weighs much more.
  void complement() const {
    const Index classes = layout.classes;
    std::vector<double> total(at(classes)), length(at(classes));
    each_of_bag(Likelihood::complement, [&](Index c, double alpha) {
      double before = 0, after = 0;
      for (Index k = 0; k < classes; before += counts.of_class(layout, k++)[c]) cell(c, k) = before;
      for (Index k = classes - 1; k >= 0; after += counts.of_class(layout, k--)[c])
        total[at(k)] += cell(c, k) += after + alpha;
    });
    each_of_bag(Likelihood::complement, [&](Index c, double) {
      for (Index k = 0; k < classes; ++k) {
        cell(c, k) = total[at(k)] > 0 ? -log_share(cell(c, k), total[at(k)]) : 0;
        length[at(k)] += cell(c, k);
      }
    });
    // scikit-learn divides log theta by its own sum, which is the same quotient.
    if (!smoothing.norm) return;
    each_of_bag(Likelihood::complement, [&](Index c, double) {
      for (Index k = 0; k < classes; ++k)
        if (length[at(k)] > 0) cell(c, k) /= length[at(k)];
    });
  }

  void make(Index k) const {
    for (const Factor& factor : layout.factors) {
      if (factor.kind == Likelihood::gaussian) gaussian(factor, k);
      if (factor.kind == Likelihood::bernoulli) bernoulli(factor, k);
      if (factor.kind == Likelihood::categorical) categorical(factor, k);
    }
  }
};

} // namespace

std::vector<double> added_variances(const Layout& layout, const Counts& all, const Smoothing& smoothing) {
  std::vector<double> added(at(layout.columns));
  double widest = 0;
  for (const Factor& factor : layout.factors)
    if (factor.kind == Likelihood::gaussian)
      for (Index j = 0; j < factor.count; ++j) {
        const Moments total = moments_of(factor, j, all.cells.data());
        const double variance = total.weight > 0 ? total.scatter / total.weight : 0.0;
        added[at(factor.first + j)] = smoothing.variance * variance;
        widest = std::max(widest, variance);
      }
  if (smoothing.widest)
    for (const Factor& factor : layout.factors)
      if (factor.kind == Likelihood::gaussian)
        std::fill_n(added.begin() + factor.first, factor.count, smoothing.variance * widest);
  return added;
}

Flat first_without_variance(const Layout& layout, const Counts& counts, const Smoothing& smoothing) {
  if (!layout.has(Likelihood::gaussian)) return {};
  const Counts all = pooled(layout, counts);
  const std::vector<double> added = added_variances(layout, all, smoothing);
  for (const Factor& factor : layout.factors) {
    if (factor.kind != Likelihood::gaussian) continue;
    for (Index j = 0; j < factor.count; ++j) {
      if (!(moments_of(factor, j, all.cells.data()).scatter > 0)) continue; // the same in every class
      if (added[at(factor.first + j)] > 0) continue;
      for (Index k = 0; k < layout.classes; ++k) {
        const Moments moments = moments_of(factor, j, counts.of_class(layout, k));
        if (moments.weight > 0 && !(moments.scatter > 0)) return {factor.first + j, k};
      }
    }
  }
  return {};
}

Estimates estimate(const Layout& layout, const Counts& counts, const Smoothing& smoothing,
                   const std::vector<double>& prior) {
  Estimates out;
  for (const double share : prior)
    out.log_prior.push_back(layout.has(Likelihood::complement) ? 0 : log_share(share, 1));
  out.table.assign(at(layout.cells * layout.classes), 0.0);
  const bool only_words = std::ranges::all_of(layout.factors, [](const Factor& factor) {
    return factor.kind == Likelihood::multinomial || factor.kind == Likelihood::complement;
  });
  const Maker maker{layout, counts, only_words ? Counts() : pooled(layout, counts), smoothing, out.table};
  for (Index k = 0; k < layout.classes; ++k) maker.make(k);
  maker.multinomial();
  maker.complement();
  return out;
}

double log_likelihood(const Layout& layout, const Counts& counts, const Estimates& estimates) {
  double sum = 0;
  const auto add = [&](double count, double log_probability) {
    if (count > 0) sum += count * log_probability;
  };
  for (Index k = 0; k < layout.classes; ++k) {
    add(counts.weight[at(k)], estimates.log_prior[at(k)]);
    const double* class_cells = counts.of_class(layout, k);
    const auto table = [&](Index c) { return estimates.table[at(c * layout.classes + k)]; };
    for (const Factor& factor : layout.factors) {
      if (factor.kind == Likelihood::complement) continue;
      if (factor.kind != Likelihood::gaussian) {
        for (Index c = factor.cell; c < factor.cell + factor.cells(); ++c) add(class_cells[c], table(c));
        continue;
      }
      for (Index j = 0; j < factor.count; ++j) {
        const Moments moments = moments_of(factor, j, class_cells);
        const Index c = factor.cell + j;
        const double apart = moments.mean - table(c + factor.count);
        add(moments.weight, table(c));
        sum -= (moments.scatter + moments.weight * apart * apart) * table(c + 2 * factor.count);
      }
    }
  }
  return sum;
}

Parameters parameters(const Layout& layout) {
  const auto classes = static_cast<double>(layout.classes);
  double each = 0, combinations = classes, numbers = 0, bag = 0;
  for (const Factor& factor : layout.factors) {
    const auto n = static_cast<double>(factor.count);
    switch (factor.kind) {
    case Likelihood::gaussian:
      each += 2 * n;
      numbers += n;
      break;
    case Likelihood::bernoulli:
      each += n;
      combinations *= std::pow(2.0, n);
      break;
    case Likelihood::categorical:
      each += static_cast<double>(factor.cells() - 1);
      combinations *= static_cast<double>(factor.cells());
      break;
    default:
      bag += n;
    }
  }
  if (bag > 0) each += bag - 1;
  const double joint = combinations - 1 + combinations * (numbers + numbers * (numbers + 1) / 2);
  return {classes - 1 + classes * each, bag > 0 ? kNaN : joint};
}

} // namespace recta::naive_bayes
