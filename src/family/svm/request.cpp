#include "family/svm/request.hpp"

#include "held/kernel_params.hpp"
#include "params/params.hpp"

#include <fmt/format.h>

namespace recta::svm {
namespace {

ParamInfo cache() {
  return {"cache", 1000.0, "megabytes for rows of the kernel matrix", 1, 1e9, {}};
}

std::vector<ParamInfo> shared_params() {
  std::vector<ParamInfo> out = kernel_params();
  const std::vector<ParamInfo> costs{{"C",
                                      kNotGiven,
                                      "cost of the losses beside |w|^2 / 2; 1 if neither C nor lambda is given",
                                      1e-300,
                                      kHuge,
                                      {},
                                      -1},
                                     {"lambda",
                                      kNotGiven,
                                      "strength of the penalty beside the mean loss, in place of C: 1 / (C W)",
                                      1e-300,
                                      kHuge,
                                      {},
                                      1}};
  out.insert(out.begin() + 1, costs.begin(), costs.end());
  out.push_back(cache());
  out.push_back({"approximate",
                 kNotGiven,
                 "for a kernel and many rows: a linear machine over the features that this many landmarks make of the "
                 "kernel (nystrom)",
                 1,
                 10000,
                 {}});
  return out;
}

// liblinear's objective has the intercept as the weight of a constant column.
std::vector<ParamInfo> intercept_params() {
  return {{"penalised-intercept", false, "the intercept counts in the penalty, as in liblinear", 0, 0, {}},
          {"intercept-scaling",
           kNotGiven,
           "with penalised-intercept: b divided by this counts like a weight; 1 if omitted",
           1e-150,
           1e150,
           {}}};
}

ParamInfo against() {
  return {"against", std::string("all"), "more than two classes: all against all, or each against the rest", 0,
          0,         {"all", "rest"}};
}

ModelInfo machine() {
  ModelInfo info{"svm", "classes by the widest margin, along a hyperplane or by a kernel: support vector machines",
                 "F(w, b) = 1/W sum_i s_i max(0, 1 - y_i f(x_i)) + (lambda/2) |w|^2,  f(x) = <w, phi(x)> + b",
                 shared_params()};
  info.params.insert(
      info.params.end(),
      {{"loss",
        std::string("hinge"),
        "what rows short of the margin cost",
        0,
        0,
        {"hinge", "squared-hinge"},
        0,
        {"hard", {""}}},
       {"penalty",
        std::string("l2"),
        "half the squares of the weights, or with l1 their absolute values, which makes many of them zero",
        0,
        0,
        {"l2", "l1"}},
       {"hard",
        false,
        "no row may be short of the margin: two classes that a hyperplane separates, that of the kernel's space if one "
        "is given",
        0,
        0,
        {}},
       against(),
       {"solver",
        std::string("auto"),
        "auto, or the dual as it is taught, for small data: by projected gradient ascent; course is for trace alone",
        0,
        0,
        {"auto", "projected-gradient", "course"}},
       {"rate",
        kNotGiven,
        "projected-gradient: eta, what the gradient is multiplied by; a safe one if omitted",
        1e-300,
        kHuge,
        {}},
       {"steps", kNotGiven, "projected-gradient: end after this many steps", 1, 1e15, {}}});
  for (ParamInfo& param : intercept_params()) info.params.push_back(std::move(param));
  info.classes = info.rereads = true;
  return info;
}

ModelInfo regression() {
  ModelInfo info{"svr",
                 "numbers by a tube, errors within which are free, linear or by a kernel: support vector regression",
                 "F(w, b) = 1/W sum_i s_i max(0, |y_i - f(x_i)| - epsilon) + (lambda/2) |w|^2,  f(x) = <w, phi(x)> + b",
                 shared_params()};
  info.params.insert(info.params.end(),
                     {{"epsilon", 0.1, "half the width of the tube, in the units of the target", 0, kHuge, {}},
                      {"loss",
                       std::string("epsilon-insensitive"),
                       "what errors beyond the tube cost",
                       0,
                       0,
                       {"epsilon-insensitive", "squared-epsilon-insensitive"}}});
  for (ParamInfo& param : intercept_params()) info.params.push_back(std::move(param));
  info.rereads = true;
  return info;
}

ModelInfo nu_machine() {
  ModelInfo info{
      "nu-svm",
      "classes by a margin that is found with the machine, given the share nu of rows that may fall short of it",
      "min 1/2 |w|^2 - nu rho + 1/W sum_i s_i max(0, rho - y_i g(x_i)),  g(x) = <w, phi(x)> + b;  f = g / rho "
      "minimises F(w, b) = 1/W sum_i s_i max(0, 1 - y_i f(x_i)) + (rho/2) |w|^2",
      kernel_params()};
  info.params.insert(info.params.begin() + 1,
                     {"nu",
                      0.5,
                      "at most this share of the rows is short of the margin, at least this share supports it",
                      1e-12,
                      1,
                      {}});
  info.params.push_back(cache());
  info.params.push_back(against());
  info.classes = info.rereads = true;
  return info;
}

ModelInfo nu_regression() {
  ModelInfo info{
      "nu-svr", "numbers by a tube whose width is found with the machine, given the share nu of rows outside it",
      "F(w, b, epsilon) = nu epsilon + 1/W sum_i s_i max(0, |y_i - f(x_i)| - epsilon) + (lambda/2) |w|^2,  f(x) "
      "= <w, phi(x)> + b",
      shared_params()};
  info.params.insert(
      info.params.begin() + 1,
      {"nu", 0.5, "at most this share of the rows is outside the tube, at least this share supports it", 1e-12, 1, {}});
  info.rereads = true;
  return info;
}

// Projected gradient ascent on the dual, as textbooks teach it, has two parameters of its own.
Result<void> check_ascent(const Request& request) {
  const Params& given = request.options->params;
  const std::string& word = request.info->word;
  const std::string solver = recta::word(request.params, "solver");
  for (const char* name : {"rate", "steps"})
    if (solver == "auto" && given.contains(name))
      return refuse(word + ", parameter " + name, "it does not apply to the solver auto",
                    "choose the solver projected-gradient");
  const double steps = number(request.params, "steps");
  if (!std::isnan(steps) && steps != std::floor(steps))
    return refuse(word + ", parameter steps", fmt::format("{} is not a whole number", steps), "give 1, 2, 3, ...");
  return {};
}

// The parameters of the penalty. Machines with nu do not have them.
Result<void> check_penalty(const Request& request) {
  const Params &given = request.options->params, &params = request.params;
  const std::string& word = request.info->word;
  const bool absolutes = recta::word(params, "penalty") == "l1", inside = flag(params, "penalised-intercept");
  if (given.contains("intercept-scaling") && !inside)
    return refuse(word + ", parameter intercept-scaling", "the intercept is not penalised",
                  "give penalised-intercept as well");
  if (inside && !request.options->intercept)
    return refuse(word + ", parameter penalised-intercept", "there is no intercept", "leave out one of them");
  if (absolutes && recta::word(params, "loss") != "squared-hinge")
    return refuse(word + ", parameter penalty", "the penalty l1 works only with the squared hinge",
                  "give the loss squared-hinge, or leave out the penalty");
  for (const auto& [name, chosen] : {std::pair{"penalty", absolutes}, {"penalised-intercept", inside}}) {
    if (!chosen) continue;
    if (!kernel_settings(params).linear())
      return refuse(word + ", parameter " + name, "it is made for the linear kernel", "leave out one of them");
    if (request.info->classes && flag(params, "hard"))
      return refuse(word + ", parameter " + name, "a hard margin has one objective",
                    "leave out hard, and give a large C");
    if (request.info->classes && recta::word(params, "solver") != "auto")
      return refuse(word + ", parameter " + name, "the ascent along the dual has another objective",
                    "leave out the solver");
  }
  return {};
}

} // namespace

double MachineSpec::cost(double weight) const {
  if (!std::isnan(lambda)) return 1 / (lambda * weight);
  return squared(terms.loss) ? 2 * c : c; // C multiplies the squares themselves; our squares are halved
}

std::vector<ModelInfo> machine_words() {
  return {machine(), regression(), nu_machine(), nu_regression()};
}

Result<void> check_machine(const Request& request) {
  const std::string& word = request.info->word;
  const Params& given = request.options->params;
  if (given.contains("C") && given.contains("lambda"))
    return refuse(word + ", parameter lambda", "C is given as well", "give one of them: lambda = 1 / (C W)");
  if (given.contains("approximate")) // fits of rows in memory never come here with it: family/landmarks.hpp
    return refuse(word + ", parameter approximate", "landmarks are chosen among rows in memory, by a fit",
                  "leave it out, or fit a table");
  if (auto good = check_kernel(request); !good) return good;
  if (request.params.contains("nu") && !request.options->intercept)
    return refuse(word, "a machine that is given nu has an intercept", "leave out no-intercept");
  if (request.params.contains("nu")) return {};
  if (auto good = check_penalty(request); !good || !request.info->classes) return good;
  if (auto good = check_ascent(request); !good) return good;
  if (!flag(request.params, "hard")) return {};
  for (const char* name : {"C", "lambda", "loss"})
    if (given.contains(name))
      return refuse(word + ", parameter " + name, "a hard margin has no losses", "leave out one of them");
  return {};
}

MachineSpec spec_of(const Params& params, bool classes) {
  MachineSpec out;
  const std::string loss = word(params, "loss");
  out.terms.loss = loss == "squared-hinge"                 ? Loss::squared_hinge
                   : loss == "squared-epsilon-insensitive" ? Loss::squared_tube
                   : classes                               ? Loss::hinge
                                                           : Loss::tube;
  out.nu = number(params, "nu");
  if (!classes && !out.finds_tube()) out.terms.epsilon = number(params, "epsilon");
  if (word(params, "penalty") == "l1") out.penalty = Penalty::absolutes;
  if (flag(params, "penalised-intercept")) {
    const double scale = number(params, "intercept-scaling");
    out.intercept_scale = std::isnan(scale) ? 1 : scale;
  }
  out.hard = classes && flag(params, "hard");
  out.against_rest = classes && word(params, "against") == "rest";
  out.kernel = kernel_settings(params);
  const double c = number(params, "C");
  out.c = std::isnan(c) ? 1 : c;
  out.lambda = number(params, "lambda");
  if (params.contains("solver")) {
    const std::string solver = word(params, "solver");
    out.course = solver == "course", out.ascends = out.course || solver == "projected-gradient";
    const double rate = number(params, "rate"), steps = number(params, "steps");
    out.rate = std::isnan(rate) ? 0 : rate;
    out.steps = std::isnan(steps) ? 0 : static_cast<Index>(steps);
  }
  out.cache = static_cast<std::uint64_t>(number(params, "cache") * 1e6);
  return out;
}

namespace {

// The objective of machines that take nu instead of C.
std::string nu_objective_text(const MachineSpec& spec, double weight) {
  if (spec.finds_margin())
    return fmt::format(
        "F(w, b) = 1/W sum_i s_i max(0, 1 - y_i f(x_i)) + (lambda/2) |w|^2,  f(x) = {},  with the lambda "
        "of nu = {:.10g}",
        score_text(spec.kernel, true), spec.nu);
  return fmt::format("F(w, b, epsilon) = nu epsilon + 1/W sum_i s_i max(0, |y_i - f(x_i)| - epsilon) + (lambda/2) "
                     "|w|^2,  f(x) = {},  nu = {:.10g},  lambda = {:.10g} (C = {:.10g})",
                     score_text(spec.kernel, true), spec.nu, spec.strength(weight), spec.cost(weight));
}

// The penalty that is added to the mean loss.
std::string penalty_text(const MachineSpec& spec) {
  const bool absolutes = spec.penalty == Penalty::absolutes;
  const std::string of_weights = absolutes ? "sum_j |w_j|" : "|w|^2";
  const std::string lambda = absolutes ? "lambda" : "(lambda/2)";
  if (spec.intercept_scale == 0) return lambda + " " + of_weights;
  const std::string b = spec.intercept_scale == 1 ? "b" : fmt::format("(b / {:.10g})", spec.intercept_scale);
  return fmt::format("{} ({} + {})", lambda, of_weights, absolutes ? fmt::format("|{}|", b) : b + "^2");
}

} // namespace

std::string objective_text(const MachineSpec& spec, double weight, bool intercept) {
  if (!std::isnan(spec.nu)) return nu_objective_text(spec, weight);
  if (spec.hard)
    return fmt::format("min 1/2 |w|^2 with y_i ({}{}) >= 1 for every row{}",
                       spec.kernel.linear() ? "<w, x_i>" : "<w, phi(x_i)>", intercept ? " + b" : "",
                       spec.kernel.linear() ? "" : ",  k(x, z) = " + kernel::make_kernel(spec.kernel)->text());
  const RowTerms& terms = spec.terms;
  const std::string inside =
      labelled(terms.loss) ? "max(0, 1 - y_i f(x_i))" : fmt::format("max(0, |y_i - f(x_i)| - {})", terms.epsilon);
  return fmt::format("F({}) = {} sum_i s_i {}{} + {},  f(x) = {},  lambda = {:.10g} (C = {:.10g})",
                     intercept ? "w, b" : "w", squared(terms.loss) ? "1/(2W)" : "1/W", inside,
                     squared(terms.loss) ? "^2" : "", penalty_text(spec), score_text(spec.kernel, intercept),
                     spec.strength(weight), squared(terms.loss) ? spec.cost(weight) / 2 : spec.cost(weight));
}

} // namespace recta::svm
