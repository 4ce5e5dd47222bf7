// A file that streams past, and the same rows in parts that rounds gather: the same blocks and the same leaves, hence
// models of the same bytes.
#include "dispatch/test_parts.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

namespace recta {
namespace {

// A file of rows that is gone when the test has ended.
class SavedRows {
public:
  explicit SavedRows(const std::string& ending)
      : path_((std::filesystem::temp_directory_path() /
               ("recta_rounds_stream_" + std::to_string(::getpid()) + "_" + std::to_string(count++) + "." + ending))
                  .string()) {}
  SavedRows(const SavedRows&) = delete;
  SavedRows& operator=(const SavedRows&) = delete;
  ~SavedRows() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

private:
  static inline int count = 0;
  std::string path_;
};

// Dense rows of whole numbers below ten, so that files are short.
void write_dense(const std::string& path, Index n, Index p) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::ofstream out(path);
  for (Index j = 0; j < p; ++j) out << "x" << j << ",";
  out << "y,two,label,count\n";
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (Index j = 0; j < p; ++j) {
      const auto x = static_cast<int>(random() % 10);
      if (j < 5) sum += (x - 4.5) * (j % 2 ? 0.1 : -0.1);
      out << x << ",";
    }
    const double noisy = sum + normal(random);
    out << sum + normal(random) << (noisy > 0 ? ",yes," : ",no,")
        << (noisy < -0.5  ? "a"
            : noisy < 0.5 ? "b"
                          : "c")
        << "," << 1 + static_cast<int>(std::exp(0.3 * noisy)) << "\n";
  }
}

// Sparse rows of a few tenths. Three classes as numbers, or two as -1 and 1.
void write_sparse(const std::string& path, Index n, Index p, Index classes) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::ofstream out(path);
  for (Index i = 0; i < n; ++i) {
    std::vector<Index> places{1 + i % 7, p}; // the last one says how many columns there are
    for (int k = 0; k < 6; ++k) places.push_back(1 + static_cast<Index>(random() % static_cast<unsigned>(p - 1)));
    std::ranges::sort(places);
    places.erase(std::ranges::unique(places).begin(), places.end());
    double sum = normal(random) / 2;
    std::string line;
    for (const Index j : places) {
      const auto tenths = static_cast<int>(1 + random() % 9);
      sum += (j % 2 ? 0.1 : -0.1) * tenths;
      line += " " + std::to_string(j) + ":0." + std::to_string(tenths);
    }
    if (classes == 0) out << sum;
    if (classes == 2) out << (sum > 0 ? 1 : -1);
    if (classes == 3) out << (sum < -0.4 ? 1 : sum < 0.4 ? 2 : 3);
    out << line << "\n";
  }
}

// The bytes around the first difference.
std::string difference(const std::string& a, const std::string& b) {
  const auto [at, other] = std::ranges::mismatch(a, b);
  const auto place = static_cast<std::size_t>(at - a.begin()), from = place - std::min<std::size_t>(place, 60);
  return a.substr(from, 120) + "\n" + b.substr(from, 120);
}

// The model by rounds over these parts; the same by a stream is compared with it.
Result<Model> compared(const RoundsJob& job, const std::string& path, const Dataset& data, std::vector<Index> cuts) {
  Parts engine(data, job, std::move(cuts));
  auto there = fit_in_rounds(job, rows_from(data, 0, 0), engine);
  if (!there) return there;
  const auto here = fit_stream(job.word, path, {}, job.options);
  EXPECT_TRUE(here) << job.word << ": " << here.error().text();
  if (!here) return here;
  const std::string ours = here->to_bytes(), theirs = there->to_bytes();
  EXPECT_TRUE(ours == theirs) << job.word << "\n" << difference(ours, theirs);
  EXPECT_EQ(here->certificate.verdict, Verdict::proved) << job.word << ": " << here->certificate.sentence();
  return there;
}

// All words there are.
TEST(StreamAndRounds, GiveTheSameBytesForEveryFamilyThatCanDoBoth) {
  const SavedRows file("csv");
  write_dense(file.path(), 9000, 5);
  const Dataset data = read(file.path()).value();
  std::set<std::string> both;
  for (const ModelInfo& info : models()) {
    if (info.without_target) continue;
    RoundsJob job = job_of({info.word, info.classes ? "two" : "count"});
    if (std::ranges::find(info.params, "lambda", &ParamInfo::name) != info.params.end())
      job.options.params["lambda"] = 0.05;
    Parts engine(data, job, cut(data.rows, 5));
    const auto there = fit_in_rounds(job, rows_from(data, 0, 0), engine);
    if (!there || there->word != info.word) continue; // svr becomes a tube
    if (compared(job, file.path(), data, cut(data.rows, 4, 3))) both.insert(info.word);
  }
  for (const std::string word :
       {"linear", "ridge", "lasso", "elastic-net", "naive-bayes", "lda", "qda", "nearest-centroid", "logistic",
        "poisson", "gamma", "huber", "softmax", "quantile", "epsilon-insensitive", "svm"})
    EXPECT_TRUE(both.contains(word)) << word; // as docs/cluster.md says
}

// Beyond 500 columns two blocks of 2048 rows share a state. One such pair lies in the first part and one across the
// border.
TEST(StreamAndRounds, GiveTheSameBytesWithManyDenseColumns) {
  const SavedRows file("csv");
  write_dense(file.path(), 4500, 501);
  const Dataset data = read(file.path()).value();
  for (const Case& one : {Case{"linear", "y"}, Case{"logistic", "two", {{"lambda", 0.01}}}, Case{"lda", "label"},
                          Case{"svm", "two", {{"C", 0.001}, {"loss", "squared-hinge"}}}})
    EXPECT_TRUE(compared(job_of(one), file.path(), data, {0, 4300, 4500}));
}

// Reflections of rows, and Hessians of classes: four blocks of 512 rows share a state.
TEST(StreamAndRounds, GiveTheSameBytesWhereBlocksShareAState) {
  const SavedRows file("csv");
  write_dense(file.path(), 6000, 140);
  const Dataset data = read(file.path()).value();
  for (const Case& one : {Case{"linear", "y", {{"solver", "qr"}}}, Case{"linear", "y", {{"solver", "svd"}}},
                          Case{"softmax", "label", {{"lambda", 0.01}}}, Case{"softmax", "label", {{"lambda1", 0.01}}},
                          Case{"qda", "label"}, Case{"epsilon-insensitive", "y", {{"epsilon", 0.5}, {"tau", 1.0}}}})
    EXPECT_TRUE(compared(job_of(one), file.path(), data, {0, 2500, 6000}));
}

// Two or three blocks of 2048 rows share a state of so many columns.
TEST(StreamAndRounds, GiveTheSameBytesWithManySparseColumns) {
  for (const Index classes : {0, 2, 3}) {
    const SavedRows file("libsvm");
    write_sparse(file.path(), 11000, 33000, classes);
    const Dataset data = read(file.path()).value();
    std::vector<Case> cases;
    if (classes == 0) cases = {{"ridge", "", {{"lambda", 0.1}}}};
    if (classes == 2)
      cases = {{"logistic", "", {{"lambda", 0.1}}},
               {"svm", "", {{"C", 0.05}, {"loss", "squared-hinge"}}},
               {"svm", "", {{"C", 0.05}}}};
    if (classes == 3)
      cases = {{"softmax", "", {{"lambda", 0.1}}},
               {"naive-bayes", "", {{"likelihood", "multinomial"}}},
               {"naive-bayes", "", {{"likelihood", "bernoulli"}}}};
    for (const Case& one : cases) {
      RoundsJob job{one.word, {}, nullptr};
      job.options.target = {data.columns.at(0).name}, job.options.params = one.params;
      EXPECT_TRUE(compared(job, file.path(), data, {0, 7000, 11000}));
    }
  }
}

TEST(StreamAndRounds, GiveTheSameBytesOfModelsMadeOfModels) {
  const SavedRows file("csv");
  write_dense(file.path(), 9000, 4);
  const Dataset data = read(file.path()).value();
  for (const std::string word : {"logistic", "lda", "naive-bayes", "svm"})
    for (const std::string scheme : {"ova", "ovo", "ecoc"}) {
      RoundsJob job = job_of({word, "label"});
      if (word == "logistic") job.options.params["lambda"] = 0.01;
      job.options.multiclass = scheme;
      EXPECT_TRUE(compared(job, file.path(), data, cut(data.rows, 4)));
    }
  RoundsJob targets = job_of({"huber", "y"});
  targets.options.target = {"y", "count"}, targets.options.ignore = {"two", "label"};
  EXPECT_TRUE(compared(targets, file.path(), data, cut(data.rows, 4)));
}

} // namespace
} // namespace recta
