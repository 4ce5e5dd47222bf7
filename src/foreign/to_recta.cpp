// Converts a model of libsvm or liblinear into one of Recta, with the same scores and no proof.
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "certificate/unmeasured.hpp"
#include "data/number.hpp"
#include "family/one_class/body.hpp"
#include "family/svm/body.hpp"
#include "feature/schema.hpp"
#include "foreign/libsvm_file.hpp"
#include "foreign/parts.hpp"
#include "model/linear/body.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace recta {
namespace {

using foreign::TheirPart;

bool logistic(const ForeignModel& theirs) {
  return theirs.type.ends_with("R_LR") || theirs.type == "L2R_LR_DUAL";
}

// Files number features from 1. With a precomputed kernel the features are rows, and feature 0 of the data is the
// number of the row.
Index first_number(const ForeignModel& theirs) {
  const bool zero = std::ranges::find(theirs.index, 0) != theirs.index.end();
  return theirs.program == "libsvm" && (zero || theirs.kernel == "precomputed") ? 0 : 1;
}

Schema schema_of(const ForeignModel& theirs, Index features) {
  Schema out;
  out.sparse_base = first_number(theirs);
  out.sparse_cols = std::max({Index{1}, features, theirs.last_feature() + 1 - out.sparse_base});
  const bool side = theirs.type == "one_class" || theirs.type == "ONECLASS_SVM";
  if (!side) out.targets = {"label"};
  if (theirs.labels.empty()) return out;
  std::vector<double> labels = theirs.labels;
  std::ranges::sort(labels);
  for (const double label : labels) out.classes.labels.push_back(number_text(label));
  out.classes.type = ColumnType::integer;
  out.classes.weight.assign(labels.size(), 1.0);
  return out;
}

// The places of their classes among the sorted labels.
std::vector<Index> places_of(const ForeignModel& theirs) {
  std::vector<double> sorted = theirs.labels;
  std::ranges::sort(sorted);
  std::vector<Index> out;
  for (const double label : theirs.labels) out.push_back(std::ranges::lower_bound(sorted, label) - sorted.begin());
  return out;
}

// The word whose models predict as theirs do.
std::string word_of(const ForeignModel& theirs) {
  if (theirs.type == "one_class" || theirs.type == "ONECLASS_SVM") return "one-class";
  if (logistic(theirs) && theirs.scores() == 1) return "logistic";
  if (!theirs.labels.empty()) return theirs.type == "nu_svc" ? "nu-svm" : "svm";
  return theirs.type == "nu_svr" ? "nu-svr" : "svr";
}

kernel::Settings settings_of(const ForeignModel& theirs) {
  return {theirs.kernel, std::isnan(theirs.gamma) ? 1 : theirs.gamma, theirs.coef, theirs.degree};
}

// Places of the vectors in the order that the body keeps them: by number in training, if the file says it.
std::vector<Index> order_of(const ForeignModel& theirs) {
  std::vector<Index> order(at(theirs.vectors()));
  std::iota(order.begin(), order.end(), Index{0});
  if (theirs.kernel == "precomputed") std::ranges::sort(order, {}, [&](Index k) { return theirs.value[at(k)]; });
  return order;
}

Result<KernelVectors> vectors_of(const ForeignModel& theirs, const Schema& schema, const std::vector<Index>& order) {
  KernelVectors out;
  out.features = schema.sparse_cols, out.sparse = true, out.start = {0};
  for (const Index k : order) {
    const bool numbered = theirs.kernel == "precomputed";
    out.rows.push_back(numbered ? static_cast<Index>(theirs.value[at(k)]) : std::ssize(out.rows));
    for (Index s = theirs.start[at(k)]; s < theirs.start[at(k) + 1] && !numbered; ++s) {
      out.index.push_back(theirs.index[at(s)] - schema.sparse_base);
      out.value.push_back(theirs.value[at(s)]);
    }
    out.start.push_back(std::ssize(out.index));
  }
  if (std::ranges::adjacent_find(out.rows) != out.rows.end())
    return fail(ErrorCode::bad_model_file, theirs.program, "two support vectors are the same row", "train it again");
  return out;
}

std::vector<double> weights_of(const TheirPart& part, const ForeignModel& theirs, const Schema& schema) {
  std::vector<CompensatedSum> sums(at(schema.sparse_cols));
  for (std::size_t s = 0; s < part.support.size(); ++s) {
    const std::size_t k = at(part.support[s]);
    for (Index v = theirs.start[k]; v < theirs.start[k + 1]; ++v)
      sums[at(theirs.index[at(v)] - schema.sparse_base)].add_product(part.beta[s], theirs.value[at(v)]);
  }
  std::vector<double> out;
  for (const CompensatedSum& sum : sums) out.push_back(sum.value());
  return out;
}

svm::Part part_of(const TheirPart& part, const ForeignModel& theirs, const Schema& schema,
                  const std::vector<Index>& order) {
  svm::Part out;
  out.b = out.b_low = out.b_high = part.b;
  if (theirs.program == "liblinear") {
    out.w.assign(at(schema.sparse_cols), 0.0);
    std::copy_n(part.w.begin(), theirs.features, out.w.begin());
  } else if (theirs.kernel == "linear") {
    out.w = weights_of(part, theirs, schema);
  } else {
    std::vector<Index> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[at(order[k])] = static_cast<Index>(k);
    std::vector<std::pair<Index, double>> pairs;
    for (std::size_t s = 0; s < part.support.size(); ++s)
      if (part.beta[s] != 0) pairs.emplace_back(place[at(part.support[s])], part.beta[s]);
    std::ranges::sort(pairs);
    for (const auto& [k, beta] : pairs) out.support.push_back(k), out.beta.push_back(beta);
  }
  for (const double w : out.w) out.squared += w * w;
  return out;
}

void turn(svm::Part& part) {
  std::swap(part.positive, part.negative);
  for (double& beta : part.beta) beta = -beta;
  for (double& w : part.w) w = -w;
  part.b = part.b_low = part.b_high = -part.b;
}

// Parts in the order of the body: pairs of sorted classes. The first class of a pair is the positive one, except that
// with two classes in all it is the second.
std::vector<svm::Part> parts_of(const ForeignModel& theirs, const Schema& schema, const std::vector<Index>& order) {
  const std::vector<Index> places = places_of(theirs);
  const Index classes = std::ssize(places);
  std::vector<svm::Part> out;
  for (const TheirPart& their : foreign::parts_of(theirs)) {
    svm::Part part = part_of(their, theirs, schema, order);
    if (classes > 0) {
      part.positive = places[at(their.positive)];
      part.negative = their.negative < classes ? places[at(their.negative)] : classes;
      if (classes == 2 ? part.positive == 0 : part.negative < part.positive) turn(part);
      if (classes == 2) part.positive = part.negative = 0;
    }
    out.push_back(std::move(part));
  }
  std::ranges::sort(out, {}, [](const svm::Part& part) { return std::pair(part.positive, part.negative); });
  return out;
}

std::shared_ptr<const Body> linear_body(const ForeignModel& theirs, const Schema& schema, FitSummary summary) {
  const auto coefficient = [](std::string name, double value) {
    Coefficient out{.feature = std::move(name), .value = value};
    out.standardised = out.standard_error = out.t = out.p_value = out.lower = out.upper = kNaN;
    return out;
  };
  const svm::Part part = parts_of(theirs, schema, {})[0];
  LinearSummary out;
  static_cast<FitSummary&>(out) = std::move(summary);
  out.degrees_of_freedom = out.condition = kNaN;
  const std::vector<std::string> names = feature::feature_names(schema);
  TargetFit fit;
  fit.target = schema.targets[0];
  fit.intercept = coefficient("intercept", part.b);
  for (std::size_t j = 0; j < names.size(); ++j) fit.coefficients.push_back(coefficient(names[j], part.w[j]));
  for (double* none :
       {&fit.rss, &fit.mse, &fit.r2, &fit.adjusted_r2, &fit.sigma, &fit.log_likelihood, &fit.f, &fit.f_p_value})
    *none = kNaN;
  out.targets.push_back(std::move(fit));
  return std::make_shared<LinearBody>(std::move(out));
}

Result<std::shared_ptr<const Body>> one_class_body(const ForeignModel& theirs, const Schema& schema,
                                                   FitSummary summary) {
  if (!(theirs.rho[0] > 0))
    return fail(ErrorCode::bad_model_file, theirs.program,
                fmt::format("its level rho is {}, and every row is inside", theirs.rho[0]),
                "train it with a larger nu");
  one_class::Learned out{.kernel = settings_of(theirs), .vectors = {}, .beta = {}, .offset = theirs.rho[0]};
  if (theirs.program == "liblinear") { // one vector, w itself
    out.vectors.features = schema.sparse_cols, out.vectors.sparse = true, out.vectors.rows = {0};
    for (Index j = 0; j < theirs.features; ++j) {
      out.vectors.index.push_back(j);
      out.vectors.value.push_back(theirs.weights[at(j)]);
    }
    out.vectors.start = {0, std::ssize(out.vectors.index)};
    out.beta = {1 / out.offset};
  } else {
    const std::vector<Index> order = order_of(theirs);
    auto vectors = vectors_of(theirs, schema, order);
    if (!vectors) return std::unexpected(vectors.error());
    out.vectors = *std::move(vectors);
    for (const Index k : order) out.beta.push_back(theirs.coefficients[at(k)] / out.offset);
  }
  return std::make_shared<const one_class::OneClassBody>(std::move(out), std::move(summary));
}

Result<std::shared_ptr<const Body>> machine_body(const ForeignModel& theirs, const Schema& schema, FitSummary summary) {
  const std::vector<Index> order = order_of(theirs);
  svm::Machine machine{.kernel = settings_of(theirs),
                       .classes = std::ssize(theirs.labels),
                       .intercept = true,
                       .against_rest = theirs.program == "liblinear" && theirs.labels.size() > 2,
                       .finds_tube = false,
                       .vectors = {},
                       .parts = parts_of(theirs, schema, order)};
  if (machine.linear()) {
    machine.vectors.features = schema.sparse_cols, machine.vectors.sparse = true, machine.vectors.start = {0};
  } else {
    auto vectors = vectors_of(theirs, schema, order);
    if (!vectors) return std::unexpected(vectors.error());
    machine.vectors = *std::move(vectors);
  }
  return std::make_shared<const svm::MachineBody>(std::move(machine), std::move(summary));
}

Result<Model> converted(const ForeignModel& theirs, Index features) {
  if (theirs.program == "liblinear" && theirs.type == "MCSVM_CS" && theirs.classes == 2) {
    ForeignModel difference = theirs; // the class with the larger of the two scores wins
    difference.type = "L2R_L1LOSS_SVC_DUAL";
    difference.weights.clear();
    for (std::size_t j = 0; j + 1 < theirs.weights.size(); j += 2)
      difference.weights.push_back(theirs.weights[j] - theirs.weights[j + 1]);
    return converted(difference, features);
  }
  Model out;
  out.word = word_of(theirs);
  out.schema = schema_of(theirs, features);
  for (const ParamInfo& param : model_info(out.word)->params) out.params[param.name] = param.initial;
  if (out.params.contains("kernel")) {
    out.params["kernel"] = theirs.kernel;
    if (foreign::kernel_has(theirs, "gamma")) out.params["gamma"] = theirs.gamma;
    out.params["coef"] = theirs.coef, out.params["degree"] = static_cast<double>(theirs.degree);
  }
  out.objective = fmt::format("{} of {}", theirs.type, theirs.program);
  FitSummary summary;
  summary.solver = theirs.program, summary.reason = "converted from its model file";
  auto body = out.word == "one-class" ? one_class_body(theirs, out.schema, std::move(summary))
              : out.word == "logistic"
                  ? Result<std::shared_ptr<const Body>>(linear_body(theirs, out.schema, std::move(summary)))
                  : machine_body(theirs, out.schema, std::move(summary));
  if (!body) return std::unexpected(body.error());
  out.body = *std::move(body);
  out.certificate = converted_from(theirs.program, theirs.notes);
  return out;
}

} // namespace

Result<Model> to_recta(const ForeignModel& model, Index features) {
  return guarded(model.program, cure::kFree, [&]() -> Result<Model> {
    auto out = converted(model, features);
    if (!out) return out;
    // A model that cannot be read back is refused: its kernel may have numbers that Recta does not take.
    if (const auto read = Model::from_bytes(out->to_bytes(), model.program); !read)
      return fail(ErrorCode::bad_model_file, model.program, read.error().what, "train it again with other parameters");
    return out;
  });
}

} // namespace recta
