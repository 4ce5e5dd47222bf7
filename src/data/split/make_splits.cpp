// Splits of every kind. Those of a repeat r > 0 are drawn by another seed, a hash of both; the first has the seed
// itself, so that its folds are those of recta path.
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "base/random.hpp"
#include "data/split/class_folds.hpp"
#include "data/split/group_folds.hpp"
#include "data/split/label_folds.hpp"
#include "data/split/row_hash.hpp"

#include <recta/split.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>

namespace recta {
namespace {

using Kind = SplitPlan::Kind;

std::unexpected<Error> refuse_split(const std::string& what, const std::string& advice) {
  return fail(ErrorCode::usage, "splits", what, advice);
}

std::uint64_t seed_of(const SplitPlan& plan, Index repeat) {
  return repeat == 0 ? plan.seed : RowHash(plan.seed)(repeat);
}

class Splitter {
public:
  Splitter(const SplitPlan& plan, const SplitRows& rows) : plan_(plan), rows_(rows) {
    for (Index i = 0; i < rows.rows; ++i)
      if (rows.used.empty() || rows.used[at(i)]) out_.used.push_back(i);
  }

  Result<Splits> run() {
    if (auto good = check(); !good) return std::unexpected(good.error());
    if (plan_.kind == Kind::time) return by_time();
    if (plan_.kind == Kind::leave_one_out) return one_out();
    if (plan_.kind == Kind::hash) return by_hash();
    for (Index r = 0; r < plan_.repeats; ++r) {
      const std::uint64_t seed = seed_of(plan_, r);
      auto done = plan_.kind == Kind::folds     ? folds(seed)
                  : plan_.kind == Kind::holdout ? holdout(seed)
                                                : bootstrap(seed);
      if (!done) return std::unexpected(done.error());
    }
    return std::move(out_);
  }

private:
  Index count() const { return std::ssize(out_.used); }
  bool grouped() const { return !rows_.group.empty(); }

  Result<void> check() const {
    const bool many = plan_.kind == Kind::folds || plan_.kind == Kind::hash;
    if (many && plan_.folds < 2)
      return refuse_split(fmt::format("{} folds leave no row out or none to train on", plan_.folds),
                          "ask for two or more");
    if (plan_.kind == Kind::time && plan_.folds < 1)
      return refuse_split("no part of the rows is left out", "ask for one fold or more");
    if (plan_.repeats < 1) return refuse_split("without repeats there are no splits", "ask for one or more");
    if (plan_.kind == Kind::holdout && !(plan_.share > 0 && plan_.share < 1))
      return refuse_split(fmt::format("{} is not a share of the rows to leave out", plan_.share),
                          "give a share between 0 and 1");
    if ((plan_.kind == Kind::time) && rows_.time.empty())
      return refuse_split("rows without times have no order of time", "name the column of the times");
    if (plan_.kind == Kind::hash && rows_.id.empty())
      return refuse_split("rows without identifiers have no hash", "name the column of the identifiers");
    return check_together();
  }

  // Wishes that contradict each other.
  Result<void> check_together() const {
    const bool drawn = plan_.kind == Kind::folds || plan_.kind == Kind::holdout || plan_.kind == Kind::bootstrap;
    if (plan_.repeats > 1 && (!drawn || (plan_.kind == Kind::holdout && !rows_.time.empty())))
      return refuse_split("nothing about these splits is random, so repeats would be the same",
                          "leave the repeats out");
    if (plan_.contiguous && (plan_.kind != Kind::folds || grouped() || plan_.repeats > 1))
      return refuse_split("contiguous folds are of single rows, and the same for every seed",
                          "leave out contiguous, the groups or the repeats");
    if (!rows_.time.empty() && grouped())
      return refuse_split("groups that lie across a time would be on both sides of it",
                          "split by groups or by time, not by both");
    if (!rows_.time.empty() && plan_.kind != Kind::time && plan_.kind != Kind::holdout)
      return refuse_split("only parts of the time and hold-outs are made in order of time",
                          "leave out the times, or split by them");
    if (grouped() && plan_.kind == Kind::hash)
      return refuse_split("a hash of the identifiers takes no account of groups",
                          "name the column of the groups as that of the identifiers");
    return {};
  }

  Result<void> add(Split split) {
    const bool none = split.train.empty() && std::ssize(split.held_out) == count();
    if (none || split.held_out.empty())
      return fail(ErrorCode::bad_data, "splits",
                  fmt::format("split {} of {} rows would {}", out_.count() + 1, count(),
                              none ? "train on none of them" : "leave none of them out"),
                  "ask for fewer folds, or give more rows");
    out_.parts.push_back(std::move(split));
    return {};
  }

  // One split per fold.
  Result<void> add_folds(const std::vector<std::int32_t>& fold_of) {
    std::vector<Split> splits(at(plan_.folds));
    for (const Index row : out_.used) {
      const std::int32_t fold = fold_of[at(row)];
      if (fold < 0)
        return fail(ErrorCode::bad_data, fmt::format("splits, row {}", row + 1), "its label is missing",
                    "fill it in, or leave the row out");
      splits[static_cast<std::size_t>(fold)].held_out.push_back(row);
    }
    for (Split& split : splits)
      if (auto good = add(std::move(split)); !good) return good;
    return {};
  }

  Result<void> folds(std::uint64_t seed) {
    if (grouped()) return folds_of_groups(seed);
    if (count() < plan_.folds)
      return fail(ErrorCode::bad_data, "splits", fmt::format("{} rows do not make {} folds", count(), plan_.folds),
                  "ask for fewer folds, or leave one row out at a time");
    Folds how{.count = plan_.folds, .seed = seed};
    if (plan_.contiguous) how.kind = Folds::Kind::contiguous;
    if (!rows_.label.empty()) return add_folds(class_folds(rows_.label, rows_.used, how));
    if (rows_.labels > 0 && !plan_.contiguous)
      return add_folds(label_folds(rows_, std::vector(at(plan_.folds), 1.0 / static_cast<double>(plan_.folds)), seed));
    how.rows = count();
    const auto dealt = how.assign(0, count());
    std::vector<std::int32_t> fold_of(at(rows_.rows), -1);
    for (std::size_t i = 0; i < out_.used.size(); ++i) fold_of[at(out_.used[i])] = dealt[i];
    return add_folds(fold_of);
  }

  Result<void> folds_of_groups(std::uint64_t seed) {
    const auto groups = drawn_groups(out_.used, rows_.group, seed);
    if (std::ssize(groups) < plan_.folds)
      return fail(ErrorCode::bad_data, "splits",
                  fmt::format("{} groups do not make {} folds", groups.size(), plan_.folds),
                  "ask for as many folds as there are groups, or fewer");
    const auto of = group_folds(groups, rows_, plan_.folds);
    std::vector<std::int32_t> fold_of(at(rows_.rows), -1);
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const Index row : groups[g].rows) fold_of[at(row)] = static_cast<std::int32_t>(of[g]);
    return add_folds(fold_of);
  }

  // Everything but the rows marked is trained on.
  Result<void> add_left_out(const std::vector<bool>& left_out) {
    Split split;
    for (const Index row : out_.used)
      if (left_out[at(row)]) split.held_out.push_back(row);
    return add(std::move(split));
  }

  Result<void> holdout(std::uint64_t seed) {
    if (!rows_.time.empty()) return last_in_time();
    std::vector<bool> out(at(rows_.rows));
    if (grouped()) {
      Index left = std::llround(plan_.share * static_cast<double>(count()));
      for (const RowGroup& group : drawn_groups(out_.used, rows_.group, seed)) {
        if (left <= 0) break;
        for (const Index row : group.rows) out[at(row)] = true;
        left -= std::ssize(group.rows);
      }
      return add_left_out(out);
    }
    if (rows_.labels > 0) {
      const std::vector<std::int32_t> part = label_folds(rows_, {plan_.share, 1 - plan_.share}, seed);
      for (const Index row : out_.used) out[at(row)] = part[at(row)] == 0;
      return add_left_out(out);
    }
    std::map<double, std::vector<Index>> by_class;
    for (const Index row : out_.used) by_class[rows_.label.empty() ? 0 : rows_.label[at(row)]].push_back(row);
    for (const auto& [name, class_rows] : by_class)
      for (const Index i : cut_by_hash(std::ssize(class_rows), plan_.share, seed++).held_out)
        out[at(class_rows[at(i)])] = true;
    return add_left_out(out);
  }

  Result<void> bootstrap(std::uint64_t seed) {
    Random random(seed);
    std::vector<Index> times(at(rows_.rows));
    if (grouped()) {
      const auto groups = drawn_groups(out_.used, rows_.group, seed);
      for (std::size_t k = 0; k < groups.size(); ++k)
        for (const Index row : groups[random.below(groups.size())].rows) ++times[at(row)];
    } else {
      for (std::size_t k = 0; k < out_.used.size(); ++k) ++times[at(out_.used[random.below(out_.used.size())])];
    }
    Split split;
    for (const Index row : out_.used) {
      if (times[at(row)] == 0) split.held_out.push_back(row);
      split.train.insert(split.train.end(), at(times[at(row)]), row);
    }
    return add(std::move(split));
  }

  Result<Splits> one_out() {
    if (grouped()) {
      auto groups = drawn_groups(out_.used, rows_.group, 0);
      std::ranges::sort(groups, {}, &RowGroup::number);
      for (RowGroup& group : groups)
        if (auto good = add({.train = {}, .held_out = std::move(group.rows)}); !good)
          return std::unexpected(good.error());
      return std::move(out_);
    }
    for (const Index one : out_.used)
      if (auto good = add({.train = {}, .held_out = {one}}); !good) return std::unexpected(good.error());
    return std::move(out_);
  }

  Result<Splits> by_hash() {
    std::vector<std::int32_t> fold_of(at(rows_.rows), -1);
    const RowHash hash(plan_.seed);
    for (const Index row : out_.used)
      fold_of[at(row)] = static_cast<std::int32_t>(hash(static_cast<Index>(rows_.id[at(row)])) %
                                                   static_cast<std::uint64_t>(plan_.folds));
    if (auto good = add_folds(fold_of); !good) return std::unexpected(good.error());
    return std::move(out_);
  }

  Result<std::vector<Index>> in_order_of_time() const {
    for (const Index row : out_.used)
      if (std::isnan(rows_.time[at(row)]))
        return fail(ErrorCode::bad_data, fmt::format("splits, row {}", row + 1), "its time is missing",
                    "fill it in, or leave the row out");
    std::vector<Index> order = out_.used;
    std::ranges::sort(order, {}, [&](Index row) { return std::pair(rows_.time[at(row)], row); });
    return order;
  }

  // The first place from `cut` on at which a new time begins.
  Index new_time(const std::vector<Index>& order, Index cut) const {
    while (cut > 0 && cut < std::ssize(order) && rows_.time[at(order[at(cut)])] == rows_.time[at(order[at(cut - 1)])])
      ++cut;
    return cut;
  }

  Result<void> add_times(const std::vector<Index>& order, Index from, Index to) {
    Split split{{order.begin(), order.begin() + from}, {order.begin() + from, order.begin() + to}};
    std::ranges::sort(split.train);
    std::ranges::sort(split.held_out);
    return add(std::move(split));
  }

  Result<Splits> by_time() {
    const auto order = in_order_of_time();
    if (!order) return std::unexpected(order.error());
    const Index parts = plan_.folds + 1, least = count() / parts; // the first part has what is left over, as in
    for (Index k = 1; k < parts; ++k) {                           // scikit-learn's TimeSeriesSplit
      const Index from = new_time(*order, count() - (parts - k) * least);
      const Index to = k + 1 == parts ? count() : new_time(*order, count() - (parts - k - 1) * least);
      if (from >= to || from == 0)
        return fail(ErrorCode::bad_data, "splits",
                    fmt::format("{} rows have too few different times for {} parts", count(), parts),
                    "ask for fewer folds");
      if (auto good = add_times(*order, from, to); !good) return std::unexpected(good.error());
    }
    return std::move(out_);
  }

  Result<void> last_in_time() {
    const auto order = in_order_of_time();
    if (!order) return std::unexpected(order.error());
    return add_times(*order, new_time(*order, count() - std::llround(plan_.share * static_cast<double>(count()))),
                     count());
  }

  const SplitPlan& plan_;
  const SplitRows& rows_;
  Splits out_;
};

} // namespace

namespace {

// Each list is empty or has one entry per row.
Result<void> check_lengths(const SplitRows& rows) {
  if (rows.rows < 0) return refuse_split(fmt::format("{} rows", rows.rows), "give a number from zero up");
  if (rows.labels < 0) return refuse_split(fmt::format("{} labels", rows.labels), "give a number from zero up");
  const auto fits = [&](std::size_t length, Index each) { // in division, since a product may overflow
    return length == 0 || (each > 0 && length % at(each) == 0 && length / at(each) == at(rows.rows));
  };
  for (const auto& [name, length] : {std::pair{"used", rows.used.size()},
                                     {"label", rows.label.size()},
                                     {"group", rows.group.size()},
                                     {"time", rows.time.size()},
                                     {"id", rows.id.size()}})
    if (!fits(length, 1))
      return refuse_split(fmt::format("\"{}\" has {} entries, and there are {} rows", name, length, rows.rows),
                          "give one entry per row, or none");
  if (!fits(rows.members.size(), rows.labels) || (rows.labels > 0 && rows.members.empty() && rows.rows > 0))
    return refuse_split(fmt::format("\"members\" has {} entries, and there are {} rows of {} labels",
                                    rows.members.size(), rows.rows, rows.labels),
                        "give one entry per row and label");
  const auto negative = std::ranges::find_if(rows.group, [](Index group) { return group < 0; });
  if (negative != rows.group.end())
    return refuse_split(fmt::format("row {} is of group {}", negative - rows.group.begin() + 1, *negative),
                        "number the groups from 0 up");
  return {};
}

} // namespace

Split Splits::operator[](Index k) const {
  Split out = parts[at(k)];
  if (out.train.empty()) std::ranges::set_difference(used, out.held_out, std::back_inserter(out.train));
  return out;
}

Result<Splits> make_splits(const SplitPlan& plan, const SplitRows& rows) {
  return guarded("splits", cure::kFewerRows, [&]() -> Result<Splits> {
    if (auto good = check_lengths(rows); !good) return std::unexpected(good.error());
    return Splitter(plan, rows).run();
  });
}

} // namespace recta
