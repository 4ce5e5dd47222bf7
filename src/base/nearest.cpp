// "Did you mean": the known word at the smallest Damerau-Levenshtein distance (insert, delete, replace, swap of two
// neighbours; restricted form, in which no place is edited twice). A word that differs only in case always wins. A word
// farther than a third of the longer word is not suggested: it would help nobody. A name that other programs give to
// the same thing is as near as can be.
#include <recta/params.hpp>

#include <algorithm>
#include <numeric>

namespace recta {

namespace {

// ASCII only: other bytes compare as they are.
std::string lower(std::string_view word) {
  std::string out(word);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

struct Synonym {
  std::string_view word, here;
};
constexpr Synonym kSynonyms[] = {{"gaussian", "rbf"},
                                 {"poly", "polynomial"},
                                 {"tanh", "sigmoid"},
                                 {"cubic", "polynomial"},
                                 {"nb", "naive-bayes"},
                                 {"bayes", "naive-bayes"},
                                 {"naivebayes", "naive-bayes"},
                                 {"ols", "linear"},
                                 {"lm", "linear"},
                                 {"logit", "logistic"},
                                 {"logreg", "logistic"},
                                 {"multinomial", "softmax"},
                                 {"svc", "svm"},
                                 {"enet", "elastic-net"},
                                 {"kmeans", "kernel-kmeans"},
                                 {"pca", "kernel-pca"},
                                 {"krr", "kernel-ridge"},
                                 {"kde", "kernel-density"},
                                 {"roc_auc", "roc_area"},
                                 {"auc", "roc_area"},
                                 {"auroc", "roc_area"},
                                 {"average_precision", "pr_area"},
                                 {"pr_auc", "pr_area"},
                                 {"mcc", "matthews"},
                                 {"logloss", "log_loss"},
                                 {"neg_log_loss", "log_loss"},
                                 {"f1_macro", "macro_f1"},
                                 {"f1_micro", "micro_f1"},
                                 {"f1_weighted", "weighted_f1"},
                                 {"neg_mean_squared_error", "mse"},
                                 {"mean_squared_error", "mse"},
                                 {"mean_absolute_error", "mae"},
                                 {"r2_score", "r2"}};

std::size_t distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> before(width), above(width), row(width);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const std::size_t replace = above[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[width - 1];
}

} // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 200; // the distance costs a product of lengths; no honest word is longer
  if (word.empty() || word.size() > kLongest) return {};
  const std::string low = lower(word);
  for (const Synonym& other : kSynonyms)
    if (other.word == low && std::ranges::count(known, low) == 0 && std::ranges::count(known, other.here) > 0)
      return std::string(other.here);
  const std::string* best = nullptr;
  std::size_t best_distance = 0;
  for (const std::string& candidate : known) {
    if (candidate.empty() || candidate.size() > kLongest) continue;
    const std::size_t longer = std::max(low.size(), candidate.size());
    const std::size_t shorter = std::min(low.size(), candidate.size());
    const std::size_t limit = std::max<std::size_t>(1, longer / 3);
    if (longer - shorter > limit) continue;
    const std::size_t d = distance(low, lower(candidate));
    // If the word is one letter, every other letter is one edit away: only its other case is suggested.
    if (d > limit || (d > 0 && longer == 1)) continue;
    if (!best || d < best_distance) {
      best = &candidate;
      best_distance = d;
    }
  }
  return best ? *best : std::string();
}

} // namespace recta
