// The use of a model on new data.
#include "base/large_memory.hpp"
#include "data/checked_table.hpp"
#include "feature/schema.hpp"
#include "model/linear/answers.hpp"
#include "model/linear/body.hpp"
#include "model/score_rows.hpp"
#include "model/shared_body.hpp"
#include "model/used_rows.hpp"

#include <recta/documents.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// How to predict: by how many threads, and which answer.
struct Wanted {
  int threads;
  Answer answer;
};

Result<void> check_answer(const Model& model, Answer answer) {
  if (auto good = check_fitted(model); !good) return good;
  if (answer == Answer::prediction) return {};
  if (model.has_label_set() && answer != Answer::decision && answer != Answer::probability)
    return fail(ErrorCode::usage, model.word, "a row has any number of labels, and this applies only to classes",
                "ask for the prediction, the decision or the probability");
  if (!model.has_target())
    return fail(ErrorCode::usage, model.word, "it has no target, and neither probabilities nor scores of classes",
                "ask for the prediction");
  if (!model.classifies() && !model.has_label_set())
    return fail(ErrorCode::usage, model.word,
                "it predicts numbers, and has neither probabilities nor scores of classes", "ask for the prediction");
  if (answer == Answer::distance && !model.is_linear())
    return fail(ErrorCode::usage, model.word, "the border of its classes is not a hyperplane, which a distance needs",
                "ask for the decision");
  if (answer == Answer::distance && model.body->scores() > 1 && model.has_probabilities())
    return fail(ErrorCode::usage, model.word, "a border of its classes lies between two scores and belongs to neither",
                "ask for the decision");
  if (answer == Answer::distance)
    for (const TargetFit& target : model.linear()->targets)
      if (target.nonzero() == 0)
        return fail(ErrorCode::usage, model.word,
                    "all weights are zero, so there is no hyperplane to measure distances from",
                    "ask for the decision");
  const bool probabilities = answer == Answer::probability || answer == Answer::corrected;
  if (probabilities && !model.has_probabilities())
    return fail(ErrorCode::usage, model.word, "it separates classes and has no probabilities of them",
                "ask for the decision, for normalised scores, calibrate it (recta calibrate), or fit logistic");
  return {};
}

// Probabilities without the factors of the classes, as if they had been fitted by the weights they came with.
void take_factors_off(const Classes& classes, Index rows, double* out) {
  const auto k = classes.labels.size();
  for (Index i = 0; i < rows && !classes.factor.empty(); ++i, out += k) {
    double sum = 0;
    for (std::size_t c = 0; c < k; ++c) sum += out[c] /= classes.factor[c];
    for (std::size_t c = 0; c < k; ++c) out[c] /= sum;
  }
}

Result<Values> predict_rows(const Model& model, const UsedRows& used, Wanted wanted) {
  Pool pool(wanted.threads);
  const auto count = static_cast<std::size_t>(used.rows * model.columns(wanted.answer));
  const LargePages pages(LargePages::room(count * sizeof(double)));
  Values out(count);
  Written written{out.data(), model.columns(wanted.answer)};
  const Body& body = *model.body;
  const bool corrected = wanted.answer == Answer::corrected;
  if (body.own_probabilities() && (wanted.answer == Answer::probability || corrected)) {
    const auto shares = [&](const Batch& some, double* to) {
      auto done = body.probability(some, to);
      if (done && corrected) take_factors_off(model.schema.classes, some.rows(), to);
      return done;
    };
    if (auto done = score_rows({written.columns, shares}, used.source, pool, written, used.first_row); !done)
      return std::unexpected(done.error());
    return out;
  }
  const ClassAnswers classes(model, wanted.answer);
  if (model.classifies()) {
    written.finish = [&](const Batch& some, double* scores, double* to) { classes.write(scores, some.rows(), to); };
  } else if (model.log_link()) {
    written.finish = [columns = written.columns](const Batch& some, double* scores, double* to) {
      std::transform(scores, scores + some.rows() * columns, to, [](double z) { return std::exp(z); });
    };
  }
  ScoresOf of = model.classifies() || model.has_label_set() ? ScoresOf::classes : ScoresOf::numbers;
  if (model.has_label_set() && wanted.answer == Answer::prediction) of = ScoresOf::labels;
  if (auto done = score_rows(body, of, used.source, pool, written, used.first_row); !done)
    return std::unexpected(done.error());
  return out;
}

} // namespace

Result<void> Body::probability(const Batch&, double*) const {
  return fail(ErrorCode::usage, "probabilities", "they follow from the scores of this model");
}

Result<void> Body::transform(const Batch&, double*) const {
  return fail(ErrorCode::usage, "transform", "this model has no coordinates of its own",
              "fit a model that has, such as lda");
}

Result<Report> Body::explain(const Batch&, const Schema&) const {
  return fail(ErrorCode::usage, "explain", "this model does not say what decided a single row",
              "explain a linear model, naive Bayes or nearest neighbours");
}

std::span<const Model> Body::parts() const {
  return {};
}

Index TargetFit::nonzero() const {
  return std::ranges::count_if(coefficients, [](const Coefficient& c) { return c.value != 0; });
}

std::string LabelSet::text(const double* members) const {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (members[k] > 0) text += (text.empty() ? "" : separator.empty() ? "|" : separator) + names[k];
  return text;
}

Index Classes::majority() const {
  return std::ranges::max_element(weight) - weight.begin();
}

double Classes::drawn(Index k) const {
  const auto at = static_cast<std::size_t>(k);
  return factor.empty() ? weight[at] : weight[at] / factor[at];
}

bool Model::log_link() const {
  const ModelInfo* info = model_info(word);
  return info != nullptr && info->log_link;
}

bool Model::has_target() const {
  const ModelInfo* info = model_info(word);
  return info == nullptr || !info->without_target;
}

bool Model::has_probabilities() const {
  const ModelInfo* info = model_info(word);
  return body->own_probabilities() || (info != nullptr && info->probabilities);
}

Index Model::columns(Answer answer) const {
  const Index scores = body->scores();
  if (!classifies() || answer == Answer::decision || answer == Answer::distance) return scores;
  return answer == Answer::prediction ? 1 : schema.classes.count();
}

std::vector<std::string> Model::feature_names() const {
  return feature::feature_names(schema);
}

namespace {

// `with_rows` hands the rows on.
Result<Values> predict_data(const Model& model, Wanted wanted,
                            const std::function<Result<void>(const UseOfRows&)>& with_rows) {
  if (auto good = check_answer(model, wanted.answer); !good) return std::unexpected(good.error());
  Values out;
  const auto done = with_rows([&](const UsedRows& used) -> Result<void> {
    auto values = predict_rows(model, used, wanted);
    if (!values) return std::unexpected(values.error());
    out = *std::move(values);
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return out;
}

Result<Values> predict_table(const Model& model, const TableView& rows, Wanted wanted, UnknownTerms* unknown) {
  return guarded(rows.table().source, cure::kFewerRows, [&] {
    return predict_data(model, wanted, [&](const UseOfRows& use) { return use_rows(model, rows, use, unknown); });
  });
}

} // namespace

Result<Values> Model::predict(const Dataset& data, int threads, Answer answer) const {
  return guarded(data, cure::kFewerRows, [&] { return recta::predict(*this, TableView(data), threads, answer); });
}

Result<Values> predict(const Model& model, const TableView& rows, int threads, Answer answer) {
  return predict_table(model, rows, {threads, answer}, nullptr);
}

Result<Values> predict(const Model& model, const TableView& rows, UnknownTerms& unknown, int threads) {
  unknown = {};
  return predict_table(model, rows, {threads, Answer::prediction}, &unknown);
}

Result<Values> predict(const Model& model, const Dataset& data, UnknownTerms& unknown, int threads, Answer answer) {
  unknown = {};
  return guarded(data, cure::kFewerRows, [&] { return predict_table(model, data, {threads, answer}, &unknown); });
}

Result<std::vector<Values>> predict(const Model& model, const TableView& rows, std::span<const Answer> answers,
                                    UnknownTerms* unknown, int threads) {
  if (unknown) *unknown = {};
  for (const Answer answer : answers)
    if (auto good = check_answer(model, answer); !good) return std::unexpected(good.error());
  return guarded(rows.table().source, cure::kFewerRows, [&]() -> Result<std::vector<Values>> {
    std::vector<Values> out;
    const auto predict_all = [&](const UsedRows& used) -> Result<void> {
      for (const Answer answer : answers) {
        if (auto rewound = used.source.rewind(); !rewound) return rewound;
        auto values = predict_rows(model, used, {threads, answer});
        if (!values) return std::unexpected(values.error());
        out.push_back(*std::move(values));
      }
      return {};
    };
    const Reads reads = answers.size() > 1 ? Reads::again : Reads::once;
    if (auto done = use_rows(model, rows, predict_all, unknown, reads); !done) return std::unexpected(done.error());
    return out;
  });
}

Result<Values> predict(const Model& model, const Arrays& rows, int threads, Answer answer) {
  return guarded("arrays", cure::kFewerRows, [&] {
    return predict_data(model, {threads, answer}, [&](const UseOfRows& use) { return use_rows(model, rows, use); });
  });
}

Result<Values> Model::predict(const MatrixView& x, int threads, Answer answer) const {
  return recta::predict(*this, {.dense = x}, threads, answer);
}

Result<Values> Model::predict(const SparseView& x, int threads, Answer answer) const {
  return recta::predict(*this, {.sparse = x}, threads, answer);
}

} // namespace recta
