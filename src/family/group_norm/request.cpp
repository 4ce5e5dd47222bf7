#include "family/group_norm/request.hpp"

#include "family/elastic_net/request.hpp"
#include "feature/map/maps.hpp"
#include "feature/schema.hpp"
#include "params/params.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace recta {
namespace {

// "a,b;\"c,d\",e": groups are apart by semicolons and names by commas; within double quotes both belong to the name,
// and two quotes are one.
std::vector<std::vector<std::string>> names_of(const std::string& text) {
  std::vector<std::vector<std::string>> groups{{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"')
      groups.back().back() += text[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ';' && !quoted)
      groups.emplace_back(1);
    else if (c == ',' && !quoted)
      groups.back().emplace_back();
    else
      groups.back().back() += c;
  }
  if (groups.back() == std::vector<std::string>{""}) groups.pop_back(); // "a,b;" or nothing
  return groups;
}

// The features of one column, or those of one map that are kin, in the order of the design.
std::vector<std::vector<Index>> usual_groups(const Schema& schema) {
  std::vector<std::vector<Index>> groups;
  Index next = 0;
  const auto add = [&](Index count) {
    std::vector<Index> group;
    for (Index i = 0; i < count; ++i) group.push_back(next++);
    if (count > 0) groups.push_back(std::move(group));
  };
  for (const SchemaColumn& column : schema.columns) add(feature::feature_count(column));
  if (const auto maps = feature::Maps::make(schema); maps && !maps->empty()) {
    for (std::vector<Index>& group : maps->kin()) {
      for (Index& k : group) k += next;
      groups.push_back(std::move(group));
    }
    next += maps->count();
  }
  while (next < feature::feature_count(schema)) add(1); // sparse columns
  return groups;
}

// The first feature of every column of the data, and the one after its last. Maps have names and no numbers.
std::vector<std::pair<Index, Index>> features_of_columns(const Schema& schema) {
  std::vector<std::pair<Index, Index>> out;
  Index next = 0;
  for (const SchemaColumn& column : schema.columns) {
    const Index count = feature::feature_count(column);
    out.emplace_back(next, next + count);
    next += count;
  }
  next = feature::feature_count(schema) - schema.sparse_cols;
  for (Index j = 0; j < schema.sparse_cols; ++j) out.emplace_back(next + j, next + j + 1);
  return out;
}

// "#3" and "#3-5": columns by number, from 1.
Result<std::vector<Index>> features_numbered(const std::string& name,
                                             const std::vector<std::pair<Index, Index>>& columns,
                                             const std::string& where) {
  Index first = 0;
  const char* const end = name.data() + name.size();
  std::from_chars_result read = std::from_chars(name.data() + 1, end, first);
  Index last = first;
  if (read.ec == std::errc{} && read.ptr != end && *read.ptr == '-') read = std::from_chars(read.ptr + 1, end, last);
  const auto most = static_cast<Index>(columns.size());
  if (read.ec != std::errc{} || read.ptr != end || first < 1 || last < first || last > most)
    return refuse(where, fmt::format("\"{}\" is not the number of a column", name),
                  fmt::format("there are columns #1 to #{}, and #1-{} is all of them", most, most));
  std::vector<Index> features;
  for (Index c = first - 1; c < last; ++c)
    for (Index j = columns[c].first; j < columns[c].second; ++j) features.push_back(j);
  return features;
}

// Which group each feature is in, -1 for none; the number of groups.
Result<Index> read_groups(const std::string& where, const std::string& text, const Schema& schema,
                          std::vector<Index>& group_of) {
  const auto places = places_by_name(schema);
  const auto groups = names_of(text);
  const auto columns = features_of_columns(schema);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const std::string& name : groups[g]) {
      if (name.empty())
        return refuse(where, fmt::format("group {} has a name that is empty", g + 1), "write column,column;column,...");
      const bool numbered = name.front() == '#' && !places.contains(name);
      const auto features = numbered ? features_numbered(name, columns, where) : features_named(name, places, where);
      if (!features) return std::unexpected(features.error());
      if (features->empty())
        return refuse(where, fmt::format("\"{}\" is read only by maps and is not a feature itself", name),
                      "name the map");
      for (const Index j : *features) {
        Index& group = group_of[static_cast<std::size_t>(j)];
        if (group >= 0)
          return refuse(where,
                        fmt::format("\"{}\" is in {}", name,
                                    group == static_cast<Index>(g) ? fmt::format("group {} twice", g + 1)
                                                                   : fmt::format("groups {} and {}", group + 1, g + 1)),
                        "a feature belongs to one group");
        group = static_cast<Index>(g);
      }
    }
  return static_cast<Index>(groups.size());
}

// One number per group that was named, in their order.
Result<std::vector<double>> read_factors(const std::string& where, const std::string& text, Index groups) {
  std::vector<double> factors;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    double factor = 0;
    const auto [next, error] = std::from_chars(at, end, factor);
    if (error != std::errc{} || (next != end && *next != ','))
      return refuse(where, fmt::format("\"{}\" is not a list of numbers", text), "write number,number,...");
    if (!(factor > 0 && factor <= 1e100))
      return refuse(where, fmt::format("{} is out of range", factor), "a factor must be above zero");
    factors.push_back(factor);
    at = next == end ? end : next + 1;
  }
  if (!factors.empty() && static_cast<Index>(factors.size()) != groups)
    return refuse(where, fmt::format("there are {} factors and {} groups", factors.size(), groups),
                  "give one number per group, in the order of groups");
  return factors;
}

Result<void> set_groups(const std::string& word, const Params& params, const Schema& schema, GroupRequest& out) {
  std::vector<Index> group_of(static_cast<std::size_t>(feature::feature_count(schema)), -1);
  const auto named = read_groups(word + ", parameter groups", recta::word(params, "groups"), schema, group_of);
  if (!named) return std::unexpected(named.error());
  const auto factors = read_factors(word + ", parameter group-factors", recta::word(params, "group-factors"), *named);
  if (!factors) return std::unexpected(factors.error());
  out.own_factors = !factors->empty();
  std::vector<std::vector<Index>> groups(static_cast<std::size_t>(*named));
  for (std::size_t j = 0; j < group_of.size(); ++j)
    if (group_of[j] >= 0) groups[static_cast<std::size_t>(group_of[j])].push_back(static_cast<Index>(j));
  for (std::vector<Index>& group : usual_groups(schema)) {
    std::erase_if(group, [&](Index j) { return group_of[static_cast<std::size_t>(j)] >= 0; });
    if (!group.empty()) groups.push_back(std::move(group));
  }
  GroupNormObjective& o = out.objective;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    o.groups.add(groups[g]);
    o.factors.push_back(g < factors->size() ? (*factors)[g] : std::sqrt(static_cast<double>(groups[g].size())));
  }
  return {};
}

} // namespace

Result<GroupRequest> group_request(const std::string& word, const Params& params, const Schema& schema, bool intercept,
                                   bool standardise) {
  NetRequest strength;
  strength.psi = std::numeric_limits<double>::quiet_NaN();
  if (auto good = set_strength(word, params, strength); !good) return std::unexpected(good.error());
  GroupRequest out;
  out.choose = strength.choose;
  out.l1_share = strength.l1_share;
  GroupNormObjective& o = out.objective;
  o.lambda1 = strength.choose ? 0 : strength.objective.lambda1;
  o.lambda2 = strength.objective.lambda2;
  o.intercept = intercept;
  o.standardise = standardise;
  o.joint = word != "group-lasso";
  if (!o.joint) {
    if (const double lambda2 = number(params, "lambda2"); !std::isnan(lambda2)) o.lambda2 = lambda2;
    if (auto good = set_groups(word, params, schema, out); !good) return std::unexpected(good.error());
    return out;
  }
  o.groups = Groups::of_one(feature::feature_count(schema));
  o.factors.assign(static_cast<std::size_t>(o.groups.count()), 1.0);
  return out;
}

std::string group_objective_text(const GroupRequest& request, const std::string& word, bool offset) {
  const GroupNormObjective& o = request.objective;
  const bool joint = word != "group-lasso", both = word == "multi-task-elastic-net" || o.lambda2 > 0;
  const std::string_view t = joint ? "t" : "", w = joint ? "w_t" : "w";
  std::string text =
      fmt::format("F({}) = {}sum_i s_i (y_i{}{}{} - <{}, x_i{}>)^2 / 2", o.intercept ? "w, b" : "w",
                  joint ? "sum_t " : "", t, offset ? " - o_i" : "", o.intercept ? (joint ? " - b_t" : " - b") : "", w,
                  o.standardise && !o.intercept ? " - mean" : "");
  text += fmt::format(" + {} {}", both ? "lambda1" : "lambda", joint ? "sum_j |w_j|" : "sum_g f_g |w_g|");
  if (both) text += joint ? " + (lambda2 / 2) sum_j |w_j|^2" : " + (lambda2 / 2) sum_g |w_g|^2";
  text += fmt::format(",  |{}|^2 = {} {}", joint ? "w_j" : "w_g", joint ? "sum_t" : "sum_{j in g}",
                      o.standardise ? (joint ? "(sd_j w_jt)^2" : "(sd_j w_j)^2") : (joint ? "w_jt^2" : "w_j^2"));
  if (!joint) text += request.own_factors ? "" : ",  f_g = sqrt(size of g)";
  return text + ",  s_i = weight_i / sum of weights" + (offset ? ",  o_i = offset_i" : "");
}

} // namespace recta
