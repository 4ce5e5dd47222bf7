// A fitted model: what it needs at prediction, what it says about itself, and its proof.
#pragma once

#include <recta/body.hpp>
#include <recta/certificate.hpp>
#include <recta/dataset.hpp>
#include <recta/matrix.hpp>
#include <recta/params.hpp>
#include <recta/text.hpp>

#include <array>
#include <limits>

namespace recta {

// skip: numbers stay NaN and categories have no level, for models that do without a value (ModelInfo::skips_missing).
// neighbours: a number is the mean of the nearest training rows that have it.
enum class Missing : std::uint8_t { refuse, drop, mean, indicator, skip, neighbours };
// A category that training did not see: an error, or no level at all.
enum class Unseen : std::uint8_t { refuse, zeros };
// The assumption of standard errors: one variance for all rows; a separate variance for each row (HC0 to HC3); rows
// that depend on one another within clusters.
enum class StandardErrors : std::uint8_t { classical, hc0, hc1, hc2, hc3, cluster };

// One column the model reads at prediction, and how it becomes features.
struct SchemaColumn {
  std::string name;
  ColumnType type = ColumnType::real;
  std::vector<std::string> levels; // category: in sorted order
  std::string reference;           // level without a feature of its own; empty: all levels have one
  double fill = 0;                 // replaces a missing number under mean and indicator
  bool indicator = false;          // numbers under indicator: a 0/1 feature "NAME is missing" follows
  bool plain = true;               // a feature by itself; false: only maps read it
};

// The training rows that fill in missing numbers under Missing::neighbours.
struct Donors {
  Index rows = 0, neighbours = 5;
  std::vector<double> x;      // the columns of numbers, by row; NaN where one is missing
  std::vector<double> weight; // empty: all one
};

// Features made from columns of numbers: "poly(x, 3)", "log(area)", "area*rooms" (docs/features.md).
struct FeatureMap {
  std::string text;
  std::vector<double> learned{}; // from the training rows: knots of a spline, centres of a radial basis
};

// The classes of a target that holds labels: sorted, numbers by value and text by code point.
struct Classes {
  std::vector<std::string> labels;        // empty: the target is a number
  ColumnType type = ColumnType::category; // real, integer: the labels are numbers
  Index positive = 1;                     // for two classes, the one that scores from zero up stand for
  std::vector<double> weight;             // weight of each class, summed over the training rows
  std::vector<double> factor{};           // factor that multiplied the weights of its rows; empty: none
  std::vector<std::string> rest{};        // labels of rows that "not LABEL" stands for, where it is the other class

  double drawn(Index k) const; // the weight of class k without its factor: as the rows came
  Index count() const { return static_cast<Index>(labels.size()); }
  Index majority() const; // the heaviest in training, the first of several
};

// The labels of rows that have any number of them: words in the cells of one column, or a column of 0 and 1 per label.
struct LabelSet {
  std::vector<std::string> names{}; // sorted, or in the order of their columns; empty: the target is no set of labels
  std::string separator{};          // of the labels in a cell; empty: every label has a column of its own

  std::string text(const double* members) const; // "a|c", from one number per label: those above zero are there
};

struct Schema {
  std::vector<SchemaColumn> columns;      // in training order; found by name at prediction
  std::vector<FeatureMap> maps;           // their features follow those of the columns
  std::vector<TextMap> texts{};           // their terms follow those of the maps
  Index sparse_cols = 0, sparse_base = 1; // columns of a sparse file, after the named ones
  std::vector<std::string> targets;
  Classes classes; // classes of the target, if it holds labels
  LabelSet labels; // the labels that a row may have, if the target is a set of them
  std::string weights, offset, cluster;
  std::vector<std::string> ignored;
  Missing missing = Missing::refuse;
  Unseen unseen = Unseen::refuse;
  std::shared_ptr<const Donors> donors{}; // under Missing::neighbours
};

struct Coefficient {
  std::string feature;
  double value = 0;          // in the units of the data
  double standardised = 0;   // coefficient of (x - mean) / sd
  double standard_error = 0; // NaN, as all below, if there is none: penalised or aliased
  double t = 0, p_value = 0, lower = 0, upper = 0;
};

struct TargetFit {
  std::string target;
  Coefficient intercept;
  std::vector<Coefficient> coefficients;
  double rss = 0, mse = 0, r2 = 0, adjusted_r2 = 0, sigma = 0, log_likelihood = 0, f = 0, f_p_value = 0;
  // Lasso and elastic net, else NaN: the penalty, or the multiplier of sum |w_j| <= psi; and the least one at which
  // every penalised coefficient is zero.
  double lambda1 = std::numeric_limits<double>::quiet_NaN(), lambda1_max = lambda1;
  // The scale that huber fitted; the deviance of poisson and gamma, and the share of it that is explained. Else NaN.
  double scale = lambda1, deviance = lambda1, d2 = lambda1;

  Index nonzero() const; // coefficients that are not zero
};

struct Alias {
  std::string feature;                                // has no coefficient of its own
  std::vector<std::pair<std::string, double>> equals; // "tax = 0.98 rad + ..."
};

// How much ridge keeps of each singular direction: value^2 / (value^2 + lambda).
struct SingularDirection {
  double singular_value = 0, shrinkage = 1;
};

// The figures that a fit of a linear model states about itself.
struct LinearSummary : FitSummary {
  double degrees_of_freedom = 0;
  Index rank = 0;       // lasso, elastic net: the number of columns in use
  double condition = 0; // of the centred, scaled columns; above 500 of them an estimate, with the penalty
  bool condition_is_estimate = false;
  double lambda1 = 0, lambda2 = 0;
  double psi = std::numeric_limits<double>::quiet_NaN(); // the bound of the constrained form; NaN: none
  bool intercept = true, standardised = false;
  double confidence = 0.95;
  StandardErrors errors = StandardErrors::classical;
  Index clusters = 0;                    // if errors are by cluster
  std::vector<double> inverse_root;      // R^-T, rank x features by row, R'R the scatter: what intervals need; or empty
  std::vector<double> means, deviations; // means and deviations of the features
  std::vector<SingularDirection> singular;
  std::vector<Alias> aliased;
  std::vector<TargetFit> targets; // for classes: one for two, the score of the positive one; else one per class
};

struct Fingerprint { // identifies the training rows, whatever file they came from
  Index rows = 0;
  std::array<std::uint8_t, 32> digest{};
  bool operator==(const Fingerprint&) const = default;
};

struct Holdout { // rows set aside before the fit, chosen by the seed
  double share = 0;
  std::uint64_t seed = 0;
};

// How decide() takes classes if the largest probability is not what is wanted (decide.hpp). It is chosen on rows that
// the fit has not seen; the figures are those of these rows, NaN if they have none.
struct Decision {
  std::string aim{};           // "precision>=0.9", "f1", "costs"; empty: there is no such rule
  double threshold = 0;        // two classes: the positive one is taken from this score on
  std::vector<double> costs{}; // by true class, then by class taken; without them there is a threshold alone
  Index rows = 0;
  double precision = std::numeric_limits<double>::quiet_NaN(), recall = precision, specificity = precision;
  double accuracy = precision, value = precision; // value: of what the aim makes large; of costs, their mean
};

// The kinds of answer a model can give. For numbers there is `prediction` alone. For classes `prediction` is the place
// of the class in Classes::labels; `decision` is the scores of the body, <w, x> + b if it is linear;
// `probability` is that of every class, in their order; `corrected` is the same without the factors of the classes, as
// if they had been fitted by the weights they came with; `normalised` is any scores through softmax, for models without
// probabilities too: they add up to one and decide alike, and are not calibrated; `distance` is the signed distance
// (<w, x> + b) / |w| from the hyperplane of every score, above zero on the side of its class. The prediction is the
// class of the largest probability; if several are equal, the positive one of two classes, or the first of more than
// two. For a set of labels `prediction` is 0 or 1, `decision` a score and `probability` a probability per label.
enum class Answer { prediction, decision, probability, corrected, normalised, distance };

struct Model {
  std::string word; // "ridge"
  Params params;    // as given, with defaults filled in
  std::string objective;
  Schema schema;
  SharedBody body;
  Certificate certificate;
  Fingerprint fingerprint;
  Holdout holdout{}; // set by the command line: the fingerprint is that of the other rows
  Decision decision{};
  Reading reading{}; // what the command line was told about the file

  // The coefficients and figures of a linear model; nullptr if it is none.
  const LinearSummary* linear() const { return body->linear(); }
  bool is_linear() const { return linear() != nullptr; }
  // The same model with other coefficients: of weights one row per target, of intercepts one number. It keeps neither
  // the proof nor the standard errors of the fit: its certificate says that they were changed by hand, and verify()
  // states how far they are from the optimum.
  Result<Model> with_coefficients(std::span<const double> weights, std::span<const double> intercepts) const;

  std::vector<std::string> feature_names() const;
  bool log_link() const;   // predictions are exp(<w, x> + b + offset): poisson, gamma
  bool has_target() const; // false: it learned from the features alone
  bool classifies() const { return !schema.classes.labels.empty(); }
  bool has_label_set() const { return !schema.labels.names.empty(); }
  bool has_probabilities() const; // of the classes or labels
  Index columns(Answer answer) const;

  // One row of numbers per row of data; its columns are those of the answer, one per target if the target is a number.
  // Rows that cannot be predicted under Missing::drop are NaN.
  Result<Values> predict(const Dataset& data, int threads = 0, Answer answer = Answer::prediction) const;
  Result<Values> predict(const MatrixView& x, int threads = 0, Answer answer = Answer::prediction) const;
  Result<Values> predict(const SparseView& x, int threads = 0, Answer answer = Answer::prediction) const;

  Result<void> save(const std::string& path) const; // atomic: the file is the old one or the new one
  static Result<Model> load(const std::string& path);
  std::string to_bytes() const;
  static Result<Model> from_bytes(std::string_view bytes, const std::string& source);
};

} // namespace recta
