// The answer of a fit: it scores rows, says what it holds, and knows no solver.
#pragma once

#include <recta/report.hpp>

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace recta {

// A block of rows, and the writer of a model file.
struct Batch;
class TensorWriter;
struct LinearSummary;
struct Model;
struct Schema;

enum class WeightMeaning : std::uint8_t { precision, frequency };

// The fit of a classifier on its training rows; NaN if there is none.
struct ClassFit {
  double accuracy = std::numeric_limits<double>::quiet_NaN();       // share of the weight that is predicted right
  double log_likelihood = accuracy, null_log_likelihood = accuracy; // null: of the best constant probabilities
  double ratio = accuracy, ratio_freedom = accuracy, ratio_p_value = accuracy; // likelihood-ratio test of all slopes
  double mistakes = accuracy, presented = accuracy; // perceptron: changes of the weights, and rows presented
  double radius = accuracy, norm = accuracy;        // R and B, where mistakes are at most (R B)^2
  double mistake_bound = accuracy;
};

// The figures that every fit states about itself.
struct FitSummary {
  std::string solver, reason; // the word of --solver, and why: "n = 506 is at least p = 13: ..."
  Index rows = 0;             // with positive weight
  double weight_sum = 0;
  WeightMeaning weights_are = WeightMeaning::precision;
  ClassFit classes;
};

// What a body says about itself beside its summary, for text, JSON, HTML and Python alike.
struct Report {
  struct Figure {
    std::string name, text; // "support_vectors", "support vectors"
    double value = 0;
  };
  using Cell = std::variant<double, std::string>;
  struct Table {
    std::string name, title;
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;
  };
  // What JSON holds under names of its own: a number, numbers, or a group of fields.
  struct Field {
    std::string name;
    std::variant<double, std::vector<double>, std::vector<Field>> value;
  };
  std::vector<Figure> figures;
  std::vector<Table> tables;
  std::vector<Field> fields, by_class; // by_class: one group a class, by its label
  std::vector<report::Sentence> remarks;
};

// Of classes: scores that rounding cannot tell apart are equal. Of labels: 1 for every label that the row is said to
// have, and 0 for the others.
enum class ScoresOf : std::uint8_t { numbers, classes, labels };

class Body {
public:
  virtual ~Body() = default;

  virtual const FitSummary& summary() const = 0;
  virtual Index features() const = 0; // that it reads, in the order of the schema
  // A row's scores: one per target; of classes one per class, or a single one for two classes, that of the positive.
  virtual Index scores() const = 0;
  // Without a target: what each score says of a row, such as "cluster".
  virtual std::vector<std::string> score_names() const { return {}; }
  // Writes rows x scores, by row. A row's scores have the same bits in any batch. Rows of weight zero, those that
  // Missing::drop leaves out, are NaN.
  virtual Result<void> score(const Batch& rows, ScoresOf of, double* out) const = 0;
  // Whether the probabilities of classes are its own, and not those of softmax or the logistic function of its scores.
  virtual bool own_probabilities() const { return false; }
  virtual Result<void> probability(const Batch& rows, double* out) const; // rows x classes or labels, by row

  // Rows in coordinates of its own, such as the directions that separate classes: their names, none if it has no such
  // coordinates, and rows x names, by row.
  virtual std::vector<std::string> coordinates() const { return {}; }
  virtual Result<void> transform(const Batch& rows, double* out) const;
  // Why one row is answered as it is: what each feature adds to the scores, which rows decided. Refused unless a body
  // can say it.
  virtual Result<Report> explain(const Batch& row, const Schema& schema) const;

  virtual Report report(const Schema& schema) const = 0;
  virtual void write(TensorWriter& out) const = 0;                // its tensors
  virtual std::string_view kind() const { return "family"; }      // who reads them: the family of the model's word
  virtual const LinearSummary* linear() const { return nullptr; } // coefficients, if its scores are <w, x> + b
  virtual std::span<const Model> parts() const;                   // the models it is made of
};

// What a model learned: copies of the model share it, and nobody can change it. A model that was never fitted, or was
// moved from, has nothing, and its body refuses every use.
class SharedBody {
public:
  SharedBody() = default;
  template <class Learned>
  SharedBody(std::shared_ptr<Learned> body) : body_(std::move(body)) {} // NOLINT(google-explicit-constructor)

  const Body* get() const { return body_ ? body_.get() : &empty(); }
  const Body& operator*() const { return *get(); }
  const Body* operator->() const { return get(); }
  explicit operator bool() const { return body_ != nullptr; }
  bool is_shared() const { return body_.use_count() > 1; }

private:
  static const Body& empty();

  std::shared_ptr<const Body> body_;
};

} // namespace recta
