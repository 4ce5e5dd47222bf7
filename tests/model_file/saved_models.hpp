// A small saved model of every word, and of every kind of model that is made of others, with the rows it was fitted to.
#pragma once

#include <recta/calibrate.hpp>
#include <recta/recta.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace recta {

struct SavedCase {
  std::string name, word;
  FitOptions options;
  std::string calibrate{};
};

// Numbers a, b, e, a category g, counts n and m, a text t; targets of every kind.
inline Dataset saved_rows(Index rows = 30) {
  std::string csv = "a,b,e,g,n,m,t,y,count,two,three,side,sets,s1,s2,w\n";
  const char* const words[] = {"red", "green", "blue", "dark"};
  for (Index i = 0; i < rows; ++i) {
    const double x = static_cast<double>(i), a = std::sin(1.9 * x) + 0.3, b = std::cos(3.1 * x) - 0.2;
    const double e = std::sin(0.7 * x * x), z = a + 0.5 * b + 0.4 * e;
    csv += fmt::format("{:.4f},{:.4f},{:.4f},g{},{},{},{} {} {},{:.4f},{},{},{},{},{},{},{},{}\n", a, b, e, i % 3,
                       i % 4, (i * 7) % 5, words[i % 4], words[(i / 2) % 4], words[(i * i) % 3], z, 1 + i % 4,
                       z > 0.1 ? "yes" : "no",
                       z > 0.5    ? "x"
                       : z > -0.2 ? "q"
                                  : "r",
                       a + b > 0.1 ? "up" : "down",
                       i % 3 == 0   ? "p|q"
                       : i % 3 == 1 ? "q"
                       : z > 0      ? "p|r"
                                    : "r",
                       a > 0 ? 1 : 0, b > e ? 1 : 0, 1 + i % 2);
  }
  return parse(csv, "rows", {}).value();
}

inline std::vector<SavedCase> saved_cases() {
  const std::vector<std::string> all{"a",     "b",   "e",     "g",    "n",    "m",  "t",  "y",
                                     "count", "two", "three", "side", "sets", "s1", "s2", "w"};
  const auto options = [&](const std::string& target, const std::vector<std::string>& columns, Params params = {}) {
    FitOptions out;
    if (!target.empty()) out.target = {target};
    for (const std::string& name : all)
      if (name != target && std::ranges::find(columns, name) == columns.end()) out.ignore.push_back(name);
    out.params = std::move(params);
    out.threads = 1;
    return out;
  };
  const std::vector<std::string> numbers{"a", "b", "e"}, mixed{"a", "b", "g"};
  std::vector<SavedCase> out;
  const auto add = [&](std::string name, std::string word, FitOptions how, std::string calibrator = {}) {
    out.push_back({std::move(name), std::move(word), std::move(how), std::move(calibrator)});
  };
  for (const ModelInfo& info : models()) {
    const bool two = info.word == "penalised-classes" || info.word == "logistic";
    const std::string target = info.without_target ? "" : !info.classes ? "count" : two ? "two" : "three";
    FitOptions how = options(target, info.word.starts_with("kernel") || info.word.find("sv") != info.word.npos ||
                                             info.word == "one-class"
                                         ? numbers
                                         : mixed);
    const auto has = [&](const char* name) {
      return std::ranges::find(info.params, name, &ParamInfo::name) != info.params.end();
    };
    if (has("lambda") && info.word != "linear") how.params["lambda"] = 0.1;
    if (info.word == "kernel-perceptron") how.target = {"side"}, how.ignore = options("side", numbers).ignore;
    if (info.word == "kernel-kmeans") how.params["clusters"] = 3.0;
    if (info.word == "kernel-pca") how.components = 2;
    if (info.word.ends_with("perceptron")) how.params["passes"] = 20.0;
    add(info.word, info.word, how);
  }
  const auto rbf = Params{{"kernel", std::string("rbf")}};
  add("svm rbf", "svm", options("two", numbers, rbf));
  add("svm linear two", "svm", options("two", numbers));
  add("svr rbf", "svr", options("y", numbers, rbf));
  FitOptions how = options("", numbers, rbf);
  how.components = 2;
  add("kernel-pca rbf", "kernel-pca", how);
  add("kernel-kmeans rbf", "kernel-kmeans", options("", numbers, {{"kernel", std::string("rbf")}, {"clusters", 2.0}}));
  add("logistic two", "logistic", options("two", mixed, {{"lambda", 0.1}}));
  add("logistic l1", "logistic", options("two", mixed, {{"lambda1", 0.02}}));
  add("perceptron side", "perceptron", options("side", numbers));
  add("naive-bayes counts", "naive-bayes", options("three", {"n", "m"}, {{"likelihood", std::string("multinomial")}}));
  add("naive-bayes gaussian", "naive-bayes", options("three", numbers));
  add("knn graph", "knn", options("three", numbers, {{"index", std::string("hnsw")}, {"links", 3.0}}));
  add("knn chosen", "knn", options("three", numbers, {{"choose-k", 5.0}}));
  add("knn mahalanobis", "knn", options("three", numbers, {{"metric", std::string("mahalanobis")}}));
  add("knn-regression tree", "knn-regression", options("y", numbers, {{"index", std::string("kd-tree")}}));
  add("lda auto", "lda", options("three", numbers, {{"shrinkage", std::string("auto")}}));
  add("nearest-centroid manhattan", "nearest-centroid",
      options("three", numbers, {{"metric", std::string("manhattan")}}));
  add("lasso psi", "lasso", options("y", mixed, {{"psi", 0.3}}));
  add("constant median", "constant", options("y", {}, {{"statistic", std::string("median")}}));
  how = options("y", mixed);
  how.missing = Missing::mean;
  add("linear, means for gaps", "linear", how);
  how.missing = Missing::indicator;
  add("linear, indicators of gaps", "linear", how);
  how.missing = Missing::neighbours;
  add("linear, neighbours for gaps", "linear", how);
  how = options("y", numbers);
  how.poly = 2, how.feature = {"spline(e, 4)"};
  add("linear with maps", "linear", how);
  how.poly = 1, how.feature = {"nystrom(3)"};
  add("linear of nystrom", "linear", how);
  how = options("y", numbers);
  how.errors = StandardErrors::hc3, how.weights = "w", std::erase(how.ignore, "w");
  add("linear, weights", "linear", how);
  how = options("y", {"a", "b", "w"}, {{"lambda", 0.1}});
  how.offset = "w", how.standardise = true, how.intercept = false;
  add("ridge, offset", "ridge", how);
  how = options("y", mixed);
  how.target = {"y", "count"}, std::erase(how.ignore, "count");
  add("linear, two targets", "linear", how);
  add("huber, two targets", "huber", how);
  for (const char* const scheme : {"ova", "ovo", "ecoc"}) {
    how = options("three", mixed, {{"lambda", 0.1}});
    how.multiclass = scheme;
    add(fmt::format("logistic {}", scheme), "logistic", how);
  }
  how = options("", mixed, {{"lambda", 0.1}});
  how.label_set = "sets", std::erase(how.ignore, "sets");
  how.label_thresholds = {{"", 0.4}};
  add("logistic, sets of labels", "logistic", how);
  how = options("", mixed, {{"lambda", 0.1}});
  how.label_columns = {"s1", "s2"}, how.chains = 2;
  std::erase(how.ignore, "s1"), std::erase(how.ignore, "s2");
  how.threshold_share = 0.4;
  add("logistic, chains", "logistic", how);
  how = options("two", {"t"}, {{"lambda", 0.1}});
  TextMap text;
  text.column = "t", text.options.idf = true;
  how.text = {text};
  add("logistic, documents", "logistic", how);
  how.params = {{"kernel", std::string("string:spectrum")}};
  how.text[0].options = {.unit = TermUnit::sequence};
  add("svm, strings", "svm", how);
  for (const char* const calibrator : {"platt", "isotonic", "temperature", "beta"})
    add(fmt::format("naive-bayes, {}", calibrator), "naive-bayes", options("two", numbers), calibrator);
  add("softmax, platt", "softmax", options("three", numbers, {{"lambda", 0.1}}), "platt");
  return out;
}

inline Result<Model> saved_model(const SavedCase& one, const Dataset& rows) {
  if (one.calibrate.empty()) return fit(one.word, rows, one.options);
  return fit_calibrated(one.word, rows, one.options,
                        {.method = calibrator_of(one.calibrate).value(), .folds = 3, .threads = 1});
}

} // namespace recta
