// The fits whose files are forged: those of every word, and more of the ways that a word can be fitted in.
#pragma once

#include "../model_file/saved_models.hpp"

namespace recta::forgeries {

inline std::vector<SavedCase> cases() {
  std::vector<SavedCase> out = saved_cases();
  const std::vector<std::string> all{"a",     "b",   "e",     "g",    "n",    "m",  "t",  "y",
                                     "count", "two", "three", "side", "sets", "s1", "s2", "w"};
  const auto add = [&](std::string name, const std::string& word, std::vector<std::string> target,
                       const std::vector<std::string>& columns, Params params = {},
                       const std::function<void(FitOptions&)>& more = {}, std::string calibrator = {}) {
    FitOptions how{.target = std::move(target), .threads = 1, .params = std::move(params)};
    for (const std::string& one : all)
      if (std::ranges::find(how.target, one) == how.target.end() && std::ranges::find(columns, one) == columns.end())
        how.ignore.push_back(one);
    if (more) more(how);
    out.push_back({word + ", " + name, word, std::move(how), std::move(calibrator)});
  };
  const auto text = [](const char* word) { return ParamValue(std::string(word)); };
  const std::vector<std::string> numbers{"a", "b", "e"}, mixed{"a", "b", "g"}, two{"a", "b"}, counts{"n", "m"};

  add("hc1", "linear", {"y"}, two, {}, [](auto& how) { how.errors = StandardErrors::hc1; });
  add("clusters", "linear", {"y"}, two, {}, [](auto& how) { how.cluster = "g", std::erase(how.ignore, "g"); });
  add("frequencies", "linear", {"y"}, two, {},
      [](auto& how) { how.weights = "w", how.weights_are = WeightMeaning::frequency, std::erase(how.ignore, "w"); });
  add("svd", "linear", {"y", "count"}, two, {{"solver", text("svd")}});
  add("lsmr", "linear", {"y"}, two, {{"solver", text("lsmr")}});
  add("gradient descent", "linear", {"y"}, two, {{"solver", text("gradient-descent")}});
  add("no intercept", "linear", {"y"}, two, {}, [](auto& how) { how.intercept = false; });
  add("polynomial of one column", "linear", {"y"}, {"a"}, {}, [](auto& how) { how.poly = 3; });
  add("tau", "ridge", {"y"}, mixed, {{"tau", 2.0}});
  add("standardised", "ridge", {"y"}, two, {{"lambda", 0.1}}, [](auto& how) { how.standardise = true; });
  add("a lambda for a condition", "ridge", {"y"}, two, {},
      [](auto& how) { how.condition_low = 2, how.condition_high = 3; });
  add("a tenth", "lasso", {"y"}, mixed);
  add("columns", "elastic-net", {"y"}, two, {{"lambda", 0.05}, {"solver", text("columns")}});
  add("two targets", "multi-task-lasso", {"y", "count"}, two, {{"lambda", 0.05}});
  add("groups", "group-lasso", {"y"}, numbers, {{"lambda", 0.05}, {"groups", text("a,b")}});
  add("delta", "huber", {"y"}, two, {{"delta", 0.5}});
  add("a third", "quantile", {"y"}, two, {{"quantile", 0.3}});
  add("stop words", "logistic", {}, {"t"}, {{"lambda", 0.1}}, [](auto& how) {
    TextMap map;
    map.column = "t", map.options.stop_words = {"red"};
    how.target = {"two"}, how.text = {map}, std::erase(how.ignore, "two");
  });
  add("one level", "quantile", {"y"}, two, {}, [](auto& how) { how.intercept = false; });
  add("firth", "logistic", {"two"}, two, {{"firth", true}});
  add("no penalty", "logistic", {"two"}, {"e"});
  add("separable", "logistic", {"side"}, two);
  add("in part separable", "logistic", {"side"}, {"a", "b", "g"});
  add("balanced", "logistic", {"two"}, two, {{"lambda", 0.1}}, [](auto& how) { how.balanced = true; });
  add("one against the rest", "logistic", {"three"}, two, {{"lambda", 0.1}}, [](auto& how) { how.positive = "q"; });
  add("no penalty", "softmax", {"three"}, two);
  add("absolutes", "softmax", {"three"}, two, {{"lambda", 0.01}, {"l1-share", 1.0}});
  add("standardised", "perceptron", {"three"}, two, {{"passes", 5.0}}, [](auto& how) { how.standardise = true; });
  add("pocket", "perceptron", {"two"}, two, {{"passes", 5.0}, {"variant", text("pocket")}});
  add("codes", "perceptron", {"three"}, two, {{"passes", 5.0}}, [](auto& how) { how.multiclass = "ecoc"; });
  add("box", "penalised", {"y"}, two, {{"penalty", text("box")}});
  add("groups", "penalised-classes", {"two"}, two, {{"penalty", text("group")}, {"lambda", 0.01}});
  add("a mixture", "naive-bayes", {"three"}, mixed, {{"likelihood", text("a=gaussian,g=categorical")}});
  add("bernoulli", "naive-bayes", {"three"}, counts, {{"likelihood", text("bernoulli")}});
  add("complement", "naive-bayes", {"three"}, counts, {{"likelihood", text("complement")}});
  add("tree", "knn", {"three"}, numbers, {{"k", 3.0}, {"index", text("kd-tree")}, {"vote", text("distance")}});
  add("standardised", "knn", {"three"}, numbers, {{"k", 3.0}}, [](auto& how) { how.standardise = true; });
  add("gower", "knn", {"three"}, mixed, {{"k", 3.0}, {"metric", text("gower")}, {"feature-weights", text("a=2")}},
      [](auto& how) { how.missing = Missing::skip; });
  add("radius", "knn", {"three"}, two, {{"radius", 2.0}, {"outside", text("prior")}});
  add("a covariance", "knn", {"three"}, two, {{"metric", text("mahalanobis")}, {"covariance", text("2/0/0/1")}});
  add("neighbours for gaps", "knn-regression", {"y"}, two, {{"k", 3.0}},
      [](auto& how) { how.missing = Missing::neighbours, how.weights = "w", std::erase(how.ignore, "w"); });
  add("balls", "knn-regression", {"y"}, two, {{"index", text("ball-tree")}, {"metric", text("canberra")}});
  add("standardised", "kernel-density", {}, two, {{"bandwidth", text("0.5")}},
      [](auto& how) { how.standardise = true; });
  add("hinge, rbf", "svm", {"three"}, two, {{"kernel", text("rbf")}});
  add("squares", "svm", {"two"}, two, {{"loss", text("squared-hinge")}});
  add("absolutes", "svm", {"two"}, two, {{"loss", text("squared-hinge")}, {"penalty", text("l1")}, {"C", 0.5}});
  add("a penalised intercept", "svm", {"three"}, two, {{"penalised-intercept", true}, {"intercept-scaling", 2.0}});
  add("hard", "svm", {"side"}, two, {{"hard", true}});
  add("hard, rbf", "svm", {"side"}, two, {{"hard", true}, {"kernel", text("rbf")}});
  add("pairs", "svm", {"three"}, two, {}, [](auto& how) { how.multiclass = "ovo"; });
  add("platt", "svm", {"two"}, two, {}, {}, "platt");
  add("projected gradients", "svm", {"two"}, two, {{"solver", text("projected-gradient")}, {"kernel", text("rbf")}});
  add("polynomial", "svr", {"y"}, two, {{"kernel", text("polynomial")}, {"degree", 2.0}});
  add("squares", "svr", {"y"}, two, {{"loss", text("squared-epsilon-insensitive")}});
  add("rbf, weighted classes", "nu-svm", {"three"}, two, {{"nu", 0.3}, {"kernel", text("rbf")}},
      [](auto& how) { how.balanced = true; });
  add("rbf", "nu-svr", {"y"}, two, {{"kernel", text("rbf")}});
  add("rbf", "one-class", {}, two, {{"kernel", text("rbf")}, {"nu", 0.3}});
  add("rbf", "kernel-perceptron", {"three"}, two, {{"kernel", text("rbf")}, {"gamma", 3.0}, {"passes", 30.0}});
  add("rbf, left out", "kernel-ridge", {"y"}, two, {{"kernel", text("rbf")}, {"loo", true}});
  add("a share", "kernel-pca", {}, numbers, {}, [](auto& how) { how.components = 0.9; });
  add("auto, priors", "lda", {"three"}, two, {{"shrinkage", text("auto")}, {"priors", text("uniform")}});
  add("a sum of columns", "lda", {"three"}, numbers, {}, [](auto& how) { how.feature = {"a*b"}; });
  add("towards the pooled", "qda", {"two"}, two, {{"shrinkage", text("oas")}, {"towards-pooled", 0.2}});
  add("shrunken", "nearest-centroid", {"three"}, two, {{"shrink-threshold", 0.2}});
  add("temperature", "ridge-classifier", {"three"}, two, {{"lambda", 0.1}}, {}, "temperature");
  add("beta", "knn", {"three"}, two, {}, {}, "beta");
  return out;
}

} // namespace recta::forgeries
