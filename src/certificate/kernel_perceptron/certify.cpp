#include "certificate/kernel_perceptron/certify.hpp"

#include "base/listening.hpp"
#include "base/sums.hpp"
#include "certificate/kernel/definite.hpp"
#include "certificate/kernel/stated_kernel.hpp"
#include "certificate/verdict.hpp"
#include "kernel/expansion.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::kernel_perceptron {
namespace {

struct Facts {
  bool separates = false, same_rows = true;
  double norm = kNaN, least = kNaN, radius = 0; // bounds: norm from above, least from below
  double nearest = 0;                           // the least y f(x) as computed
  Index wrong = 0, count = 0;

  double margin() const {
    if (separates) return least / norm;
    return norm > 0 ? std::min(0.0, nearest / norm) : 0;
  }
};

class Judge {
public:
  Judge(const Claimed& claimed, const PartClaim& part, Pool& pool) : claimed_(claimed), part_(part), pool_(pool) {
    for (const double beta : part.beta) total_ += std::abs(beta);
    out_.least = out_.nearest = kInfinity;
  }

  void see(const Batch& batch) {
    constexpr std::size_t kRows = 256;
    std::vector<Index> present;
    for (Index i = 0; i < batch.rows(); ++i)
      if (part_.weight[at(batch.first_row + i)] > 0) present.push_back(i);
    const Index count = part_.points.count();
    std::vector<double> values(std::min(kRows, present.size()) * at(count));
    for (std::size_t from = 0; from < present.size(); from += kRows) {
      keep_going();
      const std::size_t some = std::min(kRows, present.size() - from);
      kernel::Queries queries;
      for (std::size_t q = 0; q < some; ++q)
        std::visit([&](const auto& view) { part_.points.ask(view, present[from + q], queries); }, batch.x);
      part_.points.values(claimed_.kernel, queries, values.data(), count, &pool_);
      for (std::size_t q = 0; q < some; ++q)
        add(batch.first_row + present[from + q], queries, static_cast<Index>(q), values.data() + q * at(count));
    }
  }

  Facts take(double longest) {
    const double square = squared_.value() + squared_off_;
    out_.same_rows = out_.same_rows && next_ == part_.rows.size();
    out_.norm = square > 0 ? std::sqrt(square) * (1 + 0x1p-50) : 0;
    out_.radius = std::sqrt(longest + (claimed_.intercept ? 1 : 0));
    out_.separates = out_.count > 0 && out_.least > 0 && out_.norm > 0;
    return out_;
  }

private:
  void add(Index number, const kernel::Queries& queries, Index query, const double* values) {
    const kernel::Expansion sum = kernel::expansion(part_.beta, values);
    const double z = sum.value + part_.b, y = part_.target[at(number)];
    const double off = total_ * part_.points.error(claimed_.kernel, queries, query) + sum.error +
                       0x1p-52 * std::abs(z) + 0x1p-52 * std::abs(part_.b);
    out_.nearest = std::min(out_.nearest, y * z);
    out_.least = std::min(out_.least, y * z - off);
    out_.wrong += (z >= 0) == (y > 0) ? 0 : 1;
    ++out_.count;
    if (next_ == part_.rows.size() || part_.rows[next_] != number) return;
    out_.same_rows = out_.same_rows && part_.points.is(static_cast<Index>(next_), queries, query);
    const double beta = part_.beta[next_++];
    squared_.add_product(beta, z);
    squared_off_ += std::abs(beta) * (off + 0x1p-52 * std::abs(z));
  }

  const Claimed& claimed_;
  const PartClaim& part_;
  Pool& pool_;
  std::size_t next_ = 0;
  double total_ = 0, squared_off_ = 0;
  CompensatedSum squared_;
  Facts out_;
};

// Novikoff's bound is one of steps of length one.
bool whole_weights(const PartClaim& part) {
  return std::ranges::all_of(part.weight, [](double v) { return v == std::floor(v); });
}

std::string class_text(const std::string& label, const Facts& facts) {
  if (facts.separates) return fmt::format("\"{}\" separated (margin {:.6g})", label, facts.least / facts.norm);
  return fmt::format("\"{}\" not separated ({} of {} rows are wrong)", label, facts.wrong, facts.count);
}

std::string counts_text(const ClassFit& counts) {
  std::string out = fmt::format("{:.0f} mistakes in {:.0f} rows presented", counts.mistakes, counts.presented);
  if (!std::isnan(counts.mistake_bound))
    out += fmt::format(", of at most {:.6g} = (R B)^2 mistakes with R = {:.6g} and B = {:.6g}",
                       std::floor(counts.mistake_bound), counts.radius, counts.norm);
  return out;
}

Certificate certificate_of(const Claimed& claimed, const std::vector<Facts>& parts, bool definite) {
  Certificate out;
  out.stop = claimed.stop;
  out.tolerance = claimed.tolerance;
  out.passes = 2 + std::ssize(parts);
  out.objective = kNaN;
  const bool all = std::ranges::all_of(parts, &Facts::separates), same = std::ranges::all_of(parts, &Facts::same_rows);
  double margin = kInfinity;
  Index wrong = 0;
  for (const Facts& part : parts) margin = std::min(margin, part.margin()), wrong += part.wrong;
  // A row on the wrong side refutes nothing: a perceptron ends where its passes end.
  out.verdict = verdict_of({.distance = static_cast<double>(wrong), .is_bound = all && definite, .ended_early = true});
  out.claim = SeparatingHyperplane{margin};
  if (!definite) {
    out.claim = Described{
        "rows_on_their_sides",
        fmt::format("{} of the rows are on the wrong side; the kernel is not known to be positive semidefinite, "
                    "so that there is no space in which they have a margin",
                    wrong),
        {}};
  }
  if (parts.size() > 1) {
    std::string text = fmt::format("{} classes, each against the rest:", parts.size());
    for (std::size_t p = 0; p < parts.size(); ++p)
      text += (p > 0 ? ", " : " ") + class_text(claimed.labels[p], parts[p]);
    out.conditions.push_back(text);
  } else if (!all) {
    out.conditions.push_back(fmt::format("{} of {} rows are predicted right", parts[0].count - wrong, parts[0].count));
  }
  if (!same) contradict(out, "its rows are not those it learned from");
  return out;
}

void add_figures(const Claimed& claimed, const std::vector<Facts>& parts, Judged& out) {
  ClassFit& counts = out.counts;
  counts.mistakes = counts.presented = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Facts& facts = parts[p];
    counts.mistakes += claimed.parts[p].mistakes, counts.presented += claimed.parts[p].presented;
    const double b = facts.norm / facts.least;
    const bool bounded = facts.separates && whole_weights(claimed.parts[p]);
    out.parts.push_back({facts.norm, facts.nearest, bounded ? facts.radius * facts.radius * b * b : kNaN});
    if (parts.size() == 1 && bounded)
      counts.radius = facts.radius, counts.norm = b, counts.mistake_bound = out.parts.back().bound;
  }
}

bool same_run(const Run& one, const Run& other) {
  return std::ranges::equal(one.support, other.support) && std::ranges::equal(one.beta, other.beta) && one.b == other.b;
}

} // namespace

Result<Judged> certify(const Claimed& claimed, RowSource& source, Pool& pool, const Watch& watch) {
  const Listening listening(watch, "certifying");
  double longest = 0;
  for (Index k = 0; k < claimed.all.count(); ++k) longest = std::max(longest, claimed.all.own_value(claimed.kernel, k));
  std::vector<Facts> parts;
  for (const PartClaim& part : claimed.parts) {
    Judge judge(claimed, part, pool);
    const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
      judge.see(batch);
      return {};
    });
    if (!read) return std::unexpected(read.error());
    parts.push_back(judge.take(longest));
  }
  const auto definite = is_definite(claimed.kernel, source, pool);
  if (!definite) return std::unexpected(definite.error());
  Judged out{certificate_of(claimed, parts, *definite), {}, {}};
  add_figures(claimed, parts, out);
  auto& conditions = out.certificate.conditions;
  conditions.insert(conditions.begin(), counts_text(out.counts));
  return out;
}

void compare(const Stated& stated, Judged& judged) {
  Differences differences;
  compare_kernels(stated.kernel, stated.kernel_asked, differences);
  const auto near = [](double one, double other) {
    return (std::isnan(one) && std::isnan(other)) || std::abs(one - other) <= kStatedSums * std::abs(other);
  };
  for (std::size_t p = 0; p < judged.parts.size(); ++p) {
    const PartFigures &one = stated.parts[p], &other = judged.parts[p];
    if (!near(one.norm, other.norm) || !near(one.least, other.least) || !near(one.bound, other.bound))
      differences.add("the length of w, the nearest row or the bound on mistakes is not what the rows give");
  }
  if (!std::ranges::equal(stated.runs.rows, stated.again.rows))
    differences.add("the rows it keeps are not those of its mistakes");
  for (std::size_t p = 0; p < stated.runs.parts.size(); ++p) {
    const Run &one = stated.runs.parts[p], &again = stated.again.parts[p];
    if (!same_run(one, again)) differences.add("its coefficients are not those of its run");
    if (one.mistakes != again.mistakes || one.presented != again.presented)
      differences.add(fmt::format("{} mistakes in {} rows presented in the file, {} in {} by the run", one.mistakes,
                                  one.presented, again.mistakes, again.presented));
  }
  differences.refute(judged.certificate);
}

} // namespace recta::kernel_perceptron
