// The options of a fit, in the order of help. An entry here, and the use of its member, is all that an option takes.
#include "option/choice.hpp"
#include "option/recall.hpp"

namespace recta {
namespace option::of_a_fit {
namespace {

using enum Heading;
using O = FitOptions;
using F = Option<FitOptions>;
using M = const Model&;

constexpr double kMost = 9e15; // counts stay exact in a double

constexpr F kTable[] = {
    F(columns, "target", &O::target, "COL,...", "what to predict; several are fitted at once",
      {.shown = "a built-in set's own, the label of LIBSVM", .recall = [](M m, O& o) { o.target = m.schema.targets; }}),
    F(columns, "positive", &O::positive, "LABEL",
      "the class that scores from zero up stand for; with more than two classes, LABEL against \"not LABEL\"",
      {.shown = "the second of two", .recall = recall_positive}),
    F(columns, "class_weights", &O::class_weights, "LABEL=NUMBER,...",
      "factors of the weights of a class's rows; \"balanced\" makes all classes weigh the same",
      {.shown = "1", .read = read_class_weights, .recall = recall_class_weights}),
    F(none, "balanced", &O::balanced, "", "factors that make all classes weigh the same", {.axis = OptionAxis{}}),
    F(columns, "weights", &O::weights, "COL", "weight of each row",
      {.recall = [](M m, O& o) { o.weights = m.schema.weights; }}),
    F(columns, "weights_are", choice<&O::weights_are>, "WORD", "what a weight means to standard errors",
      {.words = "precision frequency", .recall = [](M m, O& o) { o.weights_are = m.body->summary().weights_are; }}),
    F(columns, "offset", &O::offset, "COL", "part of the prediction with factor 1",
      {.recall = [](M m, O& o) { o.offset = m.schema.offset; }}),
    F(columns, "ignore", &O::ignore, "COL,...", "columns that are not features",
      {.recall = [](M m, O& o) { o.ignore = m.schema.ignored; }}),
    F(columns, "missing", choice<&O::missing>, "WORD",
      "rows with missing values; neighbours fills in from the nearest rows, skip leaves out the factor of a missing "
      "value, for models that can",
      {.words = "refuse drop mean indicator skip neighbours",
       .shown = "refuse; skip for models that can",
       .axis = OptionAxis{},
       .recall = [](M m, O& o) { o.missing = m.schema.missing; }}),
    F(columns, "missing_neighbours", &O::missing_neighbours, "K",
      "the rows that --missing neighbours takes the mean of",
      {.range = {1, 1e9},
       .shown = "5",
       .reach = OptionReach::one_table,
       .axis = OptionAxis{},
       .recall = recall_missing_neighbours}),
    F(columns, "unseen", choice<&O::unseen>, "WORD", "categories first seen when predicting",
      {.words = "refuse zeros", .axis = OptionAxis{}, .recall = [](M m, O& o) { o.unseen = m.schema.unseen; }}),

    F(classes, "multiclass", &O::multiclass, "WORD",
      "more than two classes by models of two: one against all, all against all, output codes",
      {.words = "native ova ovo ecoc", .shown = "native", .axis = OptionAxis{}, .recall = recall_multiclass}),

    F(labels, "label_set", &O::label_set, "COL",
      "the target: a column of cells such as a|b, each a set of labels, which may be empty"),
    F(labels, "label_separator", &O::label_separator, "TEXT", "between the labels of a cell",
      {.shown = "|, or the comma of LIBSVM"}),
    F(labels, "label_columns", &O::label_columns, "COL,...", "the target: a column of 0 and 1 per label"),
    F(labels, "chain", &O::chain, "LABEL,...",
      "the model of a label also reads the labels before it, in this order; random or random:SEED draws one",
      {.shown = "every label by itself", .read = read_chain}),
    F(labels, "chains", &O::chains, "N", "number of chains in random orders, whose answers are averaged",
      {.range = {1, 1000}}),
    F(none, "chain_seed", &O::chain_seed, "", "of the random orders of chains"),
    F(labels, "label_thresholds", &O::label_thresholds, "NUMBER",
      "least probability, or score if there is none, at which a row has a label; LABEL=NUMBER,... for some; "
      "held-out:SHARE chooses those of the best F1 on rows set aside",
      {.flag = "label-threshold", .shown = "0.5, or the score 0", .read = read_label_threshold}),
    F(none, "threshold_share", &O::threshold_share, "", "the rows set aside to choose thresholds of labels"),

    F(maps, "poly", &O::poly, "DEGREE", "monomials of the columns of numbers up to this degree, in their place",
      {.range = {1, 100}, .axis = OptionAxis{.simpler = -1}}),
    F(maps, "poly_terms", choice<&O::poly_terms>, "WORD",
      "all monomials, powers of one column, or products of different ones",
      {.words = "all powers interactions", .axis = OptionAxis{}}),
    F(maps, "basis", &O::basis, "MAP",
      "functions in place of the columns they read: \"log(area)\", \"spline(age, 5)\", \"fourier(month, 12)\", "
      "\"radial(x, 5)\", \"poly(x, y, 3)\", \"ring(x1, x2)\"",
      {.axis = OptionAxis{}, .recall = recall_basis}),
    F(maps, "feature", &O::feature, "MAP", "the same beside the columns: \"area*rooms\", \"log(area + 1)/rooms^2\"",
      {.axis = OptionAxis{}, .recall = recall_feature}),

    F(text, "text", &O::text, "COL,...", "columns of documents: how often each word occurs is a feature"),

    F(fitting, "intercept", &O::intercept, "", "no constant term",
      {.axis = OptionAxis{}, .recall = recall_stated<&O::intercept>}),
    F(fitting, "standardise", &O::standardise, "", "penalise coefficients of (x - mean) / sd",
      {.axis = OptionAxis{}, .recall = recall_stated<&O::standardise>}),
    F(fitting, "tolerance", &O::tolerance, "NUMBER",
      "tolerance of the proof, in units of the objective of the constant model",
      {.range = {0, 1}, .shown = "1e-10", .axis = OptionAxis{}, .recall = recall_tolerance}),
    F(fitting, "confidence", &O::confidence, "SHARE", "confidence level of the intervals",
      {.range = {0.01, 0.999999}, .shown = "0.95", .commands = command::kFit, .recall = recall_stated<&O::confidence>}),
    F(fitting, "time_limit", &O::time_limit, "S", "stop after this many seconds with the best so far",
      {.range = {0}, .reach = OptionReach::steering}),
    F(fitting, "threads", &O::threads, "N", "the answer has the same bits at any number",
      {.range = {0, 4096}, .shown = "all cores", .reach = OptionReach::machine}),
    F(fitting, "seed", &O::seed, "N", "of every random choice", {.range = {0, kMost}, .shown = "0"}),

    F(errors, "errors", choice<&O::errors>, "WORD",
      "linear: standard errors of equal variances, or with a variance of its own for each row",
      {.words = "classical hc0 hc1 hc2 hc3 cluster", .offered = 5, .recall = recall_stated<&O::errors>}),
    F(errors, "cluster", &O::cluster, "COL",
      "linear: rows with the same value here depend on one another; standard errors by cluster",
      {.reach = OptionReach::one_table, .recall = [](M m, O& o) { o.cluster = m.schema.cluster; }}),
    F(errors, "intervals", &O::intervals, "", "keep what predict --interval needs; always kept up to 100 features",
      {.recall = recall_stated<&O::intervals>}),
    F(errors, "max_inflation", &O::max_inflation, "NUMBER",
      "leave out columns until no variance inflation is above this; 10 is usual",
      {.flag = "max-vif",
       .range = {1},
       .commands = command::kFit | command::kCv,
       .reach = OptionReach::one_table,
       .axis = OptionAxis{.simpler = -1, .or_default = true}}),
    F(errors, "components", &O::components, "NUMBER",
      "principal components in place of the columns of numbers: this many, or below 1 as many as carry this share of "
      "the variance; 0.99 is usual",
      {.range = {0},
       .commands = command::kFit | command::kCv,
       .reach = OptionReach::one_table,
       .axis = OptionAxis{.simpler = -1},
       .recall = recall_components}),
    F(errors, "condition_low", &O::condition_low, "LOW:HIGH",
      "ridge: the least penalty that brings the condition number of X'X into this range",
      {.flag = "condition", .read = read_condition}),
    F(none, "condition_high", &O::condition_high, "", "the upper end of this range"),

    F(reading, "max_memory", &O::max_memory, "SIZE",
      "refuse data that need more, and fits that do beside them, such as 500M or 2G",
      {.reach = OptionReach::machine, .read = read_max_memory}),
    F(none, "params", &O::params, "", "the parameters of the model's word", {.recall = recall_params})};

} // namespace
} // namespace option::of_a_fit

std::span<const Option<FitOptions>> fit_option_table() {
  return option::of_a_fit::kTable;
}

} // namespace recta
