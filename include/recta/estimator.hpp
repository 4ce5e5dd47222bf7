// From data to a proven model, and from a model and its data back to the proof.
// Members are initialised with {} so that designated initialisers name only what differs: {.target = {"price"}}.
#pragma once

#include <recta/model.hpp>
#include <recta/trace.hpp>

namespace recta {

// Monomials of a polynomial: all of them, powers of one column, products of different columns.
enum class PolyTerms : std::uint8_t { all, powers, interactions };

struct FitOptions {
  std::vector<std::string> target{}; // empty: the built-in set's own, or the label of a LIBSVM file
  std::string weights{}, offset{};   // columns; of arrays only names of numbers that come with them, like `cluster`
  // For two classes, the label that scores from zero up stand for; empty: the second in order. For more, LABEL against
  // the rest: the classes are then "not LABEL" and LABEL.
  std::string positive{};
  std::vector<std::pair<std::string, double>> class_weights{}; // label, factor: of the weights of the class's rows
  bool balanced = false;                                       // classes: factors that make all of them weigh the same
  std::vector<std::string> ignore{};                           // and identifiers: columns that are not features
  Index poly = 1; // degree: monomials of the columns of numbers, in their place
  PolyTerms poly_terms = PolyTerms::all;
  std::vector<std::string> basis{};   // maps in the place of the columns they read: "spline(age, 5)", "log(area)"
  std::vector<std::string> feature{}; // maps beside the columns: "area*rooms" (docs/features.md)
  std::vector<TextMap> text{};        // columns of documents: what a fit learns of them is not read
  bool intercept = true, standardise = false;
  Missing missing = Missing::refuse;
  Index missing_neighbours = 0; // rows whose mean fills in a number under Missing::neighbours; 0: five
  Unseen unseen = Unseen::refuse;
  WeightMeaning weights_are = WeightMeaning::precision;
  // `tolerance` is that of the certificate, in units of the null objective; `confidence` is that of the intervals.
  double tolerance = 1e-10, confidence = 0.95;
  StandardErrors errors = StandardErrors::classical;
  std::string cluster{};  // rows with the same value here depend on one another; sets errors to cluster
  bool intervals = false; // keep what prediction intervals need; always kept up to 100 features
  // Columns of numbers are dropped until no variance inflation is above max_inflation, and are replaced by their
  // principal components: so many of them or, below 1, as many as carry this share of the variance; 0: neither.
  double max_inflation = 0, components = 0;
  // Ridge: the least lambda that brings the condition number into this range; and a time limit in seconds, for any fit.
  // 0: none.
  double condition_low = 0, condition_high = 0, time_limit = 0;
  int threads = 0;        // 0: all cores
  std::uint64_t seed = 0; // seed of every random choice: random starts and orders
  Params params{};        // parameters of this model word: see models()
  // More than two classes by models of two: "ova" one against all, "ovo" all against all, "ecoc" output codes; "native"
  // or empty: as the model does it itself.
  std::string multiclass{};
  // Rows that have any number of labels: in the cells of one column, between separators, or in columns of 0 and 1. Each
  // label has a model of its own. In a chain that model also reads the labels before its own, in the order given, or in
  // as many random orders as `chains` says, whose answers are averaged.
  std::string label_set{}, label_separator{}; // if omitted: , in LIBSVM files, | in others
  std::vector<std::string> label_columns{}, chain{};
  Index chains = 0;
  std::uint64_t chain_seed = 0; // of the random orders
  // The probability, or without probabilities the score, from which on a row has the label; an empty label stands for
  // all. With `threshold_share` they are those of the best F1 on that share of the rows, which the fit they are chosen
  // by does not see.
  std::vector<std::pair<std::string, double>> label_thresholds{};
  double threshold_share = 0;
  std::uint64_t max_memory = 0; // bytes that the fit may take beside its rows, by its own estimate; 0: no limit
};

// Rows in the caller's memory, not copied. `y` has one column per target. Exactly one of `dense` and `sparse` is used:
// `sparse` when its `start` is set.
struct Arrays {
  MatrixView dense{};
  SparseView sparse{};
  MatrixView y{};
  const double *weights = nullptr, *offset = nullptr;
  const std::uint64_t* cluster = nullptr; // equal numbers are one cluster
  std::vector<std::string> names{};       // empty: x1, x2, ...
  Classes classes{}; // for a class target: y holds places among these labels; without labels y holds them, as numbers
};

Result<Model> fit(const std::string& word, const Dataset& data, const FitOptions& options = {},
                  const Watch& watch = {});
Result<Model> fit(const std::string& word, const Arrays& arrays, const FitOptions& options = {},
                  const Watch& watch = {});
// Fits in memory that does not grow with the rows. Standard input is read once and its claim says so.
Result<Model> fit_stream(const std::string& word, const std::string& path, const ReadOptions& read = {},
                         const FitOptions& options = {}, const Watch& watch = {});

// The columns of `rows.dense` with the maps that `poly`, `poly_terms`, `basis` and `feature` of the options ask for, as
// a fit would learn them: knots lie between the least and the largest value among the rows of positive weight. y is not
// looked at, here and below.
Result<Schema> learn_features(const Arrays& rows, const FitOptions& options = {});
// One row of features per row of x, whose columns are those the schema was learned from, each number rounded to a
// double.
Result<Values> make_features(const Schema& schema, const MatrixView& x);
// Both at once, which is less work where a map computes its features to learn them.
struct LearnedFeatures {
  Schema schema;
  Values made;
};
Result<LearnedFeatures> learn_and_make_features(const Arrays& rows, const FitOptions& options = {});
std::vector<std::string> feature_names(const Schema& schema);
Result<std::vector<std::string>> columns_read(const std::string& map); // by its text, each column once

// Terms of the documents of a table that a model's vocabularies do not have.
struct UnknownTerms {
  Index terms = 0, unknown = 0;               // occurrences
  Index documents = 0, without_any_known = 0; // rows
};
Result<UnknownTerms> unknown_terms(const Schema& schema, const Dataset& data, int threads = 0);

// Like Model::predict, with `rows.offset` if the model was fitted with one, and only then.
Result<Values> predict(const Model& model, const Arrays& rows, int threads = 0, Answer answer = Answer::prediction);

// A descent with every `every`-th step on record, for one target: docs/descent.md.
Result<Trace> trace(const std::string& word, const Dataset& data, const FitOptions& options = {}, Index every = 1,
                    const Watch& watch = {});
Result<Trace> trace(const std::string& word, const Arrays& arrays, const FitOptions& options = {}, Index every = 1,
                    const Watch& watch = {});

// P(class | row) at every step of a trace of logistic or softmax regression, from the data and options of that trace.
struct Posteriors {
  std::vector<std::string> labels{}; // labels of the classes, in their order
  std::vector<Values> steps{};       // one per step: rows x classes, by row; NaN for rows that are not there
};
Result<Posteriors> trace_posteriors(const Trace& trace, const Dataset& data, const FitOptions& options = {});
Result<Posteriors> trace_posteriors(const Trace& trace, const Arrays& arrays, const FitOptions& options = {});

// The proof again, from the model and the training data alone. An error when the data are not the training data;
// Verdict::refuted when they are and the claim does not hold.
Result<Certificate> verify(const Model& model, const Dataset& data, const Watch& watch = {});
Result<Certificate> verify(const Model& model, const Arrays& arrays, const Watch& watch = {});
Result<Certificate> verify_stream(const Model& model, const std::string& path, const ReadOptions& read = {},
                                  const Watch& watch = {});

} // namespace recta
