// Models of libsvm and liblinear: reads and writes their files, converts them to models of Recta and back, and says how
// far their answers are from the optimum of their own objective (docs/foreign.md).
#pragma once

#include <recta/estimator.hpp>

#include <limits>

namespace recta {

// The contents of one of their model files, in the file's own words.
struct ForeignModel {
  std::string program{};            // "libsvm" or "liblinear"
  std::string type{};               // "c_svc", "L2R_LR", ...
  std::vector<double> labels{};     // classes in the order of the file; empty: the answers are numbers or sides
  Index classes = 2;                // counted as in the file: 2 for numbers too
  std::vector<std::string> notes{}; // parts of the file that are not kept: probabilities

  // libsvm: f(x) = sum_k coefficient_k k(x, x_k) - rho, for every pair of classes.
  std::string kernel = "linear"; // in the words of Recta
  double gamma = std::numeric_limits<double>::quiet_NaN(), coef = 0;
  Index degree = 3;
  std::vector<double> rho{};
  std::vector<Index> vectors_of{};      // support vectors per class; if the answers are numbers, one entry for all
  std::vector<double> coefficients{};   // vectors x (classes - 1), by row
  std::vector<Index> start{0}, index{}; // numbers of the features of every vector, ascending
  std::vector<double> value{};

  // liblinear: <w, x> and, unless bias is below zero, w of one more feature that is `bias` in every row.
  Index features = 0;
  double bias = -1;
  std::vector<double> weights{}; // (features, bias) x scores, by row

  Index vectors() const { return static_cast<Index>(start.size()) - 1; }
  Index scores() const;       // of a liblinear model: 1, or one per class
  Index last_feature() const; // the largest number of a feature
};

bool is_foreign_model(const std::string& path); // by its first bytes
Result<ForeignModel> read_foreign(const std::string& path);
Result<ForeignModel> parse_foreign(std::string_view bytes, const std::string& source);
std::string foreign_text(const ForeignModel& model); // the file
Result<void> write_foreign(const ForeignModel& model, const std::string& path);

// Converts it to a model of Recta that predicts as theirs does and claims no proof. `features` is the number of columns
// of the data, if there are more than occur in the file.
Result<Model> to_recta(const ForeignModel& model, Index features = 0);
// `program` is "libsvm" for machines with a kernel, or "liblinear" for linear models. It is an error if the program has
// no such model.
Result<ForeignModel> from_recta(const Model& model, const std::string& program);

// Their files hold neither C, nor epsilon, nor nu. NaN: taken from the coefficients if they show it, else the program's
// default; either way the proof names it among its conditions.
struct ForeignOptions {
  double c = std::numeric_limits<double>::quiet_NaN(), epsilon = c, nu = c;
  double tolerance = 1e-6; // a gap within this share of the objective of w = 0 is proof enough
  std::string target{};    // of a table; empty: the built-in set's own, or the label of a LIBSVM file
  std::vector<std::string> ignore{};
  int threads = 0;
};

// The objective of another program at its own numbers, in its own scaling, beside the two numbers between which the
// optimum was proved to lie: those of Recta's answer to the same problem.
struct ForeignProof {
  std::string name{}; // "c_svc of libsvm"
  double objective = 0, optimum_lower = 0, optimum_upper = 0;
  double null_objective = 0; // at w = 0
  double tolerance = 0;
  bool optimum_proved = false;
  std::vector<std::string> conditions{};

  double gap() const;          // the answer is at most this far above the optimum
  double relative_gap() const; // in units of the optimum
  bool proved() const;         // the gap is within the tolerance
  std::string sentence() const;
};

// `ours`: the certificate of Recta's answer to the same problem, whose numbers times `scale` are theirs.
ForeignProof foreign_proof(const std::string& name, double objective, const Certificate& ours, double scale,
                           double tolerance);

Result<ForeignProof> verify_foreign(const ForeignModel& model, const Dataset& data, const ForeignOptions& options = {},
                                    const Watch& watch = {});
// Column j of the arrays is the feature of number j + 1; y holds labels as numbers. One-class models have no y.
Result<ForeignProof> verify_foreign(const ForeignModel& model, const Arrays& rows, const ForeignOptions& options = {},
                                    const Watch& watch = {});

} // namespace recta
