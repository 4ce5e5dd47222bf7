// A model of Recta as one of libsvm or liblinear.
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "data/number.hpp"
#include "family/one_class/body.hpp"
#include "family/svm/body.hpp"
#include "foreign/libsvm_file.hpp"

#include <recta/foreign.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

std::unexpected<Error> no_such_model(const Model& model, const std::string& program, std::string_view why,
                                     std::string_view advice) {
  return fail(ErrorCode::usage, model.word, fmt::format("{} has no such model: {}", program, why), advice);
}

// Labels are whole numbers in their files: our own if they are, else 1, 2, 3, ... in the order of the classes.
std::vector<double> labels_of(const Classes& classes, std::vector<std::string>& notes) {
  std::vector<double> out;
  for (const std::string& label : classes.labels) {
    const Number number = parse_number(label.data(), label.data() + label.size());
    const bool whole = number.status == NumberStatus::ok && number.value == std::floor(number.value) &&
                       std::abs(number.value) <= 2147483647;
    if (whole) out.push_back(number.value);
  }
  if (out.size() == classes.labels.size()) return out;
  out.clear();
  std::string names;
  for (const std::string& label : classes.labels) {
    out.push_back(static_cast<double>(out.size() + 1));
    names += fmt::format("{}{} is {}", names.empty() ? "" : ", ", out.back(), label);
  }
  notes.push_back("labels are whole numbers there: " + names);
  return out;
}

// The number of our first feature in their files.
Index base_of(const Schema& schema) {
  return schema.columns.empty() && schema.maps.empty() && schema.texts.empty() && schema.sparse_cols > 0
             ? schema.sparse_base
             : 1;
}

Result<void> check_features(const Model& model, const std::string& program) {
  if (!model.schema.texts.empty())
    return no_such_model(model, program, "this one reads texts", "write the features of the texts first");
  if (!model.schema.offset.empty()) return no_such_model(model, program, "this one has an offset", "fit it without");
  return {};
}

void add_vectors(const KernelVectors& from, Index base, const std::vector<Index>& order, ForeignModel& out) {
  for (const Index k : order) {
    if (out.kernel == "precomputed") {
      out.index.push_back(0), out.value.push_back(static_cast<double>(from.rows[at(k)] + 1));
    } else if (from.sparse) {
      for (Index s = from.start[at(k)]; s < from.start[at(k) + 1]; ++s)
        out.index.push_back(from.index[at(s)] + base), out.value.push_back(from.value[at(s)]);
    } else {
      for (Index j = 0; j < from.features; ++j)
        if (const double x = from.dense[at(k * from.features + j)]; x != 0)
          out.index.push_back(j + base), out.value.push_back(x);
    }
    out.start.push_back(std::ssize(out.index));
  }
}

Result<void> take_kernel(const Model& model, const kernel::Settings& kernel, ForeignModel& out) {
  const auto& known = foreign::kLibsvmKernels;
  if (std::ranges::find(known, kernel.word) == known.end())
    return no_such_model(model, "libsvm", fmt::format("its kernels are {}", fmt::join(known, ", ")),
                         "fit it with one of these");
  out.kernel = kernel.word, out.gamma = kernel.gamma, out.coef = kernel.coef, out.degree = kernel.degree;
  return {};
}

// The class of every vector, by the sign of a coefficient of it.
std::vector<Index> classes_of(const svm::Machine& machine) {
  std::vector<Index> out(machine.vectors.rows.size());
  for (const svm::Part& part : machine.parts)
    for (std::size_t s = 0; s < part.support.size(); ++s) {
      const bool positive = part.beta[s] > 0;
      out[at(part.support[s])] = machine.classes == 2 ? (positive ? 0 : 1) : positive ? part.positive : part.negative;
    }
  return out;
}

void add_classes(const svm::Machine& machine, Index base, ForeignModel& out) {
  const std::vector<Index> vector_class = classes_of(machine);
  std::vector<Index> order, place(vector_class.size());
  out.vectors_of.assign(at(machine.classes), 0);
  for (Index c = 0; c < machine.classes; ++c)
    for (std::size_t k = 0; k < vector_class.size(); ++k)
      if (vector_class[k] == c) {
        place[k] = std::ssize(order), order.push_back(static_cast<Index>(k));
        ++out.vectors_of[at(c)];
      }
  const Index columns = machine.classes - 1;
  out.coefficients.assign(order.size() * at(columns), 0.0);
  for (const svm::Part& part : machine.parts) {
    const Index i = machine.classes == 2 ? 0 : part.positive, j = machine.classes == 2 ? 1 : part.negative;
    for (std::size_t s = 0; s < part.support.size(); ++s) {
      const Index k = part.support[s];
      out.coefficients[at(place[at(k)] * columns + (vector_class[at(k)] == i ? j - 1 : i))] = part.beta[s];
    }
    out.rho.push_back(-part.b);
  }
  add_vectors(machine.vectors, base, order, out);
}

std::vector<Index> all_of(const KernelVectors& vectors) {
  std::vector<Index> out;
  for (Index k = 0; k < std::ssize(vectors.rows); ++k) out.push_back(k);
  return out;
}

Result<ForeignModel> as_libsvm(const Model& model) {
  ForeignModel out{.program = "libsvm"};
  const Index base = base_of(model.schema);
  if (const auto* body = dynamic_cast<const one_class::OneClassBody*>(model.body.get())) {
    if (auto good = take_kernel(model, body->learned().kernel, out); !good) return std::unexpected(good.error());
    out.type = "one_class", out.rho = {body->learned().offset};
    for (const double beta : body->learned().beta) out.coefficients.push_back(beta * body->learned().offset);
    out.vectors_of = {std::ssize(out.coefficients)};
    add_vectors(body->learned().vectors, base, all_of(body->learned().vectors), out);
    return out;
  }
  const auto* body = dynamic_cast<const svm::MachineBody*>(model.body.get());
  if (!body) return no_such_model(model, "libsvm", "it has machines with a kernel", "try --as liblinear");
  const svm::Machine& machine = body->machine();
  if (machine.linear())
    return no_such_model(model, "libsvm", "a linear machine here keeps weights and no support vectors",
                         "write it as liblinear, or fit it with the kernel polynomial and degree 1");
  if (machine.against_rest)
    return no_such_model(model, "libsvm", "its classes are all against all", "fit it without against rest");
  if (auto good = take_kernel(model, machine.kernel, out); !good) return std::unexpected(good.error());
  if (machine.classes == 0) {
    out.type = machine.finds_tube ? "nu_svr" : "epsilon_svr";
    out.rho = {-machine.parts[0].b}, out.coefficients.assign(machine.vectors.rows.size(), 0.0);
    for (std::size_t s = 0; s < machine.parts[0].support.size(); ++s)
      out.coefficients[at(machine.parts[0].support[s])] = machine.parts[0].beta[s];
    out.vectors_of = {std::ssize(out.coefficients)};
    add_vectors(machine.vectors, base, all_of(machine.vectors), out);
    return out;
  }
  out.type = model.word == "nu-svm" ? "nu_svc" : "c_svc";
  out.classes = machine.classes, out.labels = labels_of(model.schema.classes, out.notes);
  if (machine.classes == 2 && model.schema.classes.positive == 1) std::swap(out.labels[0], out.labels[1]);
  add_classes(machine, base, out);
  return out;
}

// Weights and intercepts of every score of a linear model, and the first of two classes if there are two.
struct Linear {
  std::vector<std::vector<double>> w;
  std::vector<double> b;
};

Result<Linear> linear_of(const Model& model) {
  Linear out;
  if (model.is_linear()) {
    for (const TargetFit& fit : model.linear()->targets) {
      out.b.push_back(fit.intercept.value);
      out.w.emplace_back();
      for (const Coefficient& coefficient : fit.coefficients)
        out.w.back().push_back(std::isnan(coefficient.value) ? 0 : coefficient.value);
    }
    return out;
  }
  const auto* body = dynamic_cast<const svm::MachineBody*>(model.body.get());
  if (!body || !body->machine().linear())
    return no_such_model(model, "liblinear", "its scores are linear in the features",
                         "try --as libsvm, or convert it with --as linear first");
  if (body->machine().classes > 2 && !body->machine().against_rest)
    return no_such_model(model, "liblinear", "every class has one score there, and here every pair of classes",
                         "fit it with against rest");
  for (const svm::Part& part : body->machine().parts) out.w.push_back(part.w), out.b.push_back(part.b);
  return out;
}

Result<ForeignModel> as_liblinear(const Model& model) {
  const auto linear = linear_of(model);
  if (!linear) return std::unexpected(linear.error());
  const bool classes = model.classifies();
  if (model.log_link() || (!classes && linear->w.size() != 1))
    return no_such_model(model, "liblinear", "answers are one number <w, x> + b, or a class",
                         "give a model of one target without a link");
  ForeignModel out{.program = "liblinear", .bias = 1};
  const Index base = base_of(model.schema);
  out.features = std::ssize(linear->w[0]) + base - 1;
  if (base < 1) return no_such_model(model, "liblinear", "features are numbered from 1", "give rows numbered from 1");
  if (classes) out.labels = labels_of(model.schema.classes, out.notes), out.classes = std::ssize(out.labels);
  if (classes && out.classes == 2 && model.schema.classes.positive == 1) std::swap(out.labels[0], out.labels[1]);
  const bool margin = !model.is_linear();
  out.type = !classes                   ? (margin ? "L2R_L1LOSS_SVR_DUAL" : "L2R_L2LOSS_SVR")
             : margin                   ? "L2R_L1LOSS_SVC_DUAL"
             : model.word == "logistic" ? "L2R_LR"
             : out.classes > 2          ? "MCSVM_CS"
                                        : "L2R_L2LOSS_SVC";
  for (std::size_t j = 0; j < linear->w[0].size(); ++j)
    for (const auto& w : linear->w) out.weights.push_back(w[j]);
  for (const double b : linear->b) out.weights.push_back(b);
  return out;
}

} // namespace

Result<ForeignModel> from_recta(const Model& model, const std::string& program) {
  return guarded(program, cure::kFree, [&]() -> Result<ForeignModel> {
    if (auto good = check_features(model, program); !good) return std::unexpected(good.error());
    if (!model.body->parts().empty())
      return no_such_model(model, program, "this one is made of other models", "convert one of them");
    if (program == "libsvm") return as_libsvm(model);
    if (program == "liblinear") return as_liblinear(model);
    return fail(ErrorCode::usage, program, "it is neither libsvm nor liblinear", "name one of them");
  });
}

} // namespace recta
