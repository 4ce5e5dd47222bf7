#include "combine/composite_body.hpp"

#include "base/numbers.hpp"
#include "combine/part_report.hpp"
#include "combine/part_scores.hpp"
#include "combine/parts_file.hpp"
#include "design/batch.hpp"
#include "model_file/tensor_file.hpp"

#include <algorithm>
#include <functional>

namespace recta::combine {

CompositeBody::CompositeBody(FitSummary summary, Code code, std::vector<Model> parts, Support support)
    : summary_(std::move(summary)), code_(std::move(code)), parts_(std::move(parts)), support_(std::move(support)),
      probabilities_(parts_[0].has_probabilities()) {}

Result<std::vector<double>> CompositeBody::part_scores(const Batch& rows) const {
  const auto n = at(rows.rows()), parts = parts_.size();
  std::vector<double> all(n * parts), own(n);
  for (std::size_t p = 0; p < parts; ++p) {
    if (auto done = score_two_classes(parts_[p], rows, own.data()); !done) return std::unexpected(done.error());
    for (std::size_t i = 0; i < n; ++i) all[i * parts + p] = own[i];
  }
  return all;
}

Result<void> CompositeBody::score(const Batch& rows, ScoresOf, double* out) const {
  const auto z = part_scores(rows);
  if (!z) return std::unexpected(z.error());
  combine_scores(code_, probabilities_, z->data(), rows.rows(), out);
  return {};
}

Result<void> CompositeBody::probability(const Batch& rows, double* out) const {
  const auto z = part_scores(rows);
  if (!z) return std::unexpected(z.error());
  combine_probabilities(code_, z->data(), rows.rows(), out);
  return {};
}

// The classes of a part, those of its side 1 before those of its side -1.
std::string CompositeBody::sides(Index part, const Schema& schema, const char* between, const char* others) const {
  std::string above, below;
  for (Index k = 0; k < code_.classes; ++k)
    if (const int side = code_.at(k, part); side != 0) {
      std::string& text = side == 1 ? above : below;
      text += (text.empty() ? "" : ", ") + schema.classes.labels[at(k)];
    }
  return above + between + (code_.scheme == Scheme::ova ? others : below);
}

Report CompositeBody::report(const Schema& schema) const {
  Report out;
  Report::Table table{.name = "parts",
                      .title = "parts, each a model of two classes",
                      .columns = {"part", "verdict", "rows", "objective", "accuracy"},
                      .rows = {}};
  std::vector<Report::Field> of_parts;
  double proved = 0;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const auto place = static_cast<Index>(p);
    const Model& part = parts_[p];
    const FitSummary& fit = part.body->summary();
    proved += part.certificate.verdict == Verdict::proved ? 1 : 0;
    table.rows.push_back({sides(place, schema, " | ", "all others"), std::string(name(part.certificate.verdict)),
                          static_cast<double>(fit.rows), part.certificate.objective, fit.classes.accuracy});
    auto fields = fields_of(part, support_.empty() ? std::vector<Index>{} : support_[p]);
    if (!fields.empty()) of_parts.push_back({sides(place, schema, " against ", "the rest"), std::move(fields)});
  }
  if (!of_parts.empty()) out.fields.push_back({"parts", std::move(of_parts)});
  out.tables.push_back(std::move(table));
  out.figures = {{"parts", "parts", static_cast<double>(parts_.size())}, {"proved", "parts proved", proved}};
  return out;
}

void CompositeBody::write(TensorWriter& out) const {
  std::vector<Index> side(code_.side.begin(), code_.side.end());
  for (Index& each : side) ++each; // counts are not negative
  out.add("parts.scheme", std::vector<std::string>{kSchemes[static_cast<std::size_t>(code_.scheme)]});
  out.add("parts.side", side, {code_.classes, code_.parts});
  write_parts(out, parts_);
  std::vector<Index> rows, start = {0};
  for (const std::vector<Index>& part : support_) {
    rows.insert(rows.end(), part.begin(), part.end());
    start.push_back(std::ssize(rows));
  }
  if (rows.empty()) return;
  out.add("parts.support", rows, {std::ssize(rows)});
  out.add("parts.support_start", start, {std::ssize(start)});
}

// Whether a part lists as many rows is seen when they are reported: predictions need not wait for that.
CompositeBody::Support CompositeBody::read_support(FieldReader& in, const std::vector<Model>& parts) {
  const auto rows = in.counts("parts.support"), start = in.counts("parts.support_start");
  in.require(start.size() == parts.size() + 1 && start.front() == 0 && start.back() == std::ssize(rows) &&
                 std::ranges::is_sorted(start),
             "the support of its parts is not where it should be");
  Support out;
  for (std::size_t p = 0; in.ok() && p < parts.size(); ++p) {
    out.emplace_back(rows.begin() + start[p], rows.begin() + start[p + 1]);
    in.require(std::ranges::adjacent_find(out.back(), std::greater_equal{}) == out.back().end(),
               "the support of a part does not ascend");
  }
  return out;
}

Result<std::shared_ptr<const Body>> CompositeBody::read(FieldReader& in, FitSummary summary, const Schema& schema,
                                                        const std::string& word) {
  const auto scheme = in.strings("parts.scheme");
  const auto side = in.counts("parts.side");
  Code code;
  code.classes = schema.classes.count();
  code.parts = code.classes > 0 ? std::ssize(side) / code.classes : 0;
  const auto known = std::ranges::find(kSchemes, scheme.empty() ? "" : scheme[0]);
  in.require(known != std::end(kSchemes) && std::ranges::all_of(side, [](Index s) { return s <= 2; }),
             "its parts are not described");
  if (!in.ok()) return in.error();
  code.scheme = static_cast<Scheme>(known - std::begin(kSchemes));
  for (const Index s : side) code.side.push_back(static_cast<std::int8_t>(s - 1));
  in.require(is_whole(code), "its parts do not divide the classes");
  Index features = -1; // of the first part
  const auto fits = [&](const Model& part, std::size_t) {
    if (features < 0) features = part.body->features();
    return part.word == word && part.schema.classes.count() == 2 && part.body->scores() <= 2 &&
           part.body->parts().empty() && part.body->features() == features;
  };
  auto parts = read_parts(in, schema.unseen, fits, "a part is not a model of two classes of the same features");
  if (!parts) return std::unexpected(parts.error());
  in.require(std::ssize(*parts) == code.parts, "its parts do not divide the classes");
  Support support = in.ok() && in.has("parts.support") ? read_support(in, *parts) : Support{};
  if (!in.ok()) return in.error();
  return std::make_shared<CompositeBody>(std::move(summary), std::move(code), *std::move(parts), std::move(support));
}

} // namespace recta::combine
