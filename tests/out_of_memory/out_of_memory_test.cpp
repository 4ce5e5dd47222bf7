// P10: out of memory is an error, not a crash. Each public call is made again and again; each time one allocation more
// succeeds before one fails, once or for ever after. The outcome is an answer or an Error that says "out of memory";
// nothing leaks, no file stays open, and afterwards the call gives the answer it gave before.
#include "failing_new.hpp"

#include <recta/recta.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <unistd.h>

namespace recta {
namespace {

using failing_new::Plan;
using failing_new::Then;
namespace fs = std::filesystem;

std::int64_t open_files() {
  return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
}

// A call and what its answer looks like, for comparison; `around` is done before and after each.
template <class Call, class Show>
void starve(
    const std::string& name, const Call& call, const Show& show, const std::function<void()>& around = [] {},
    std::int64_t tries = 80) {
  const auto first = call(); // fills what is kept for later calls: tables of words, thread-local buffers
  ASSERT_TRUE(first) << name << ": " << first.error().text();
  const std::string answer = show(*first);
  std::int64_t needed = 0;
  {
    const Plan plan(0, Then::work_again);
    ASSERT_TRUE(call());
    needed = plan.allocations();
  }
  const std::int64_t step = std::max<std::int64_t>(1, needed / tries);
  for (const Then then : {Then::work_again, Then::fail_for_ever})
    for (std::int64_t k = 1; k <= needed; k += k < 20 ? 1 : step) {
      around();
      const std::int64_t living = failing_new::living(), files = open_files();
      {
        const auto outcome = [&] {
          const Plan plan(k, then);
          return call();
        }();
        if (outcome)
          EXPECT_EQ(show(*outcome), answer) << name << ", allocation " << k;
        else
          EXPECT_EQ(outcome.error().what, "out of memory") << name << ", allocation " << k;
      }
      if (testing::Test::HasFailure()) return; // what is noted about a failure takes memory too
      EXPECT_EQ(failing_new::living(), living) << name << ", allocation " << k << " of " << needed;
      EXPECT_EQ(open_files(), files) << name << ", allocation " << k << " of " << needed;
      if (testing::Test::HasFailure()) return;
    }
  const auto last = call();
  ASSERT_TRUE(last) << name;
  EXPECT_EQ(show(*last), answer) << name;
}

std::string shown(const Dataset& data) {
  std::string text = std::to_string(data.rows);
  for (const Column& column : data.columns) {
    text += " " + column.name;
    for (const double value : column.values) text += " " + std::to_string(value);
    for (const auto code : column.codes) text += " " + column.levels[static_cast<std::size_t>(code)];
  }
  for (const double value : data.sparse.value) text += " " + std::to_string(value);
  return text;
}
std::string shown(const Model& model) {
  return model.to_bytes();
}
std::string shown(const Certificate& certificate) {
  return certificate.sentence();
}
std::string shown(const Values& values) {
  std::string text;
  for (const double value : values) text += std::to_string(value) + " ";
  return text;
}
const auto show = [](const auto& answer) { return shown(answer); };
const auto nothing = [](const auto&...) { return std::string(); };
constexpr auto done = [](Result<void> result) -> Result<bool> {
  if (!result) return std::unexpected(result.error());
  return true;
};

struct Folder {
  fs::path path = fs::temp_directory_path() / ("recta-memory-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
};

// Long names, since short texts need no memory.
std::string csv(int rows) {
  std::mt19937 random(1);
  std::string text = "a column with a long name,another long column name,colour of the thing,yield of the field\n";
  for (int i = 0; i < rows; ++i) {
    text += std::to_string(random() % 1000) + "," + std::to_string(random() % 77) + ",";
    text += std::string(i % 3 ? "a very long shade of blue" : "a very long shade of red");
    text += "," + std::to_string(random() % 5000) + "\n";
  }
  return text;
}
const FitOptions kOptions{.target = {"yield of the field"}, .threads = 2};

Dataset table(int rows) {
  return parse(csv(rows), "a table with a long name.csv", {}).value();
}

struct Numbers {
  std::vector<double> x, y;
  Arrays arrays;
  Numbers(Index rows, Index cols) {
    std::mt19937 random(2);
    for (Index i = 0; i < rows * cols; ++i) x.push_back(random() % 1000);
    for (Index i = 0; i < rows; ++i) y.push_back(random() % 1000);
    arrays.dense = MatrixView::row_major(x.data(), rows, cols);
    arrays.y = MatrixView::vector(y.data(), rows);
  }
};

TEST(OutOfMemory, WhileParsingAnyFormat) {
  const std::vector<std::pair<std::string, std::string>> texts{
      {"csv", csv(40)},
      {"libsvm", "1 1:2 7:3.5\n-1 2:1\n1 3:4 # a comment\n"},
      {"arff", "@relation r\n@attribute size numeric\n@attribute shade {red,'a very long shade of blue'}\n@data\n"
               "1,red\n2,'a very long shade of blue'\n"}};
  const std::string source = "a table with a long name";
  for (const auto& [format, text] : texts) {
    const ReadOptions options{.format = format};
    starve(format, [&] { return parse(text, source, options); }, show);
  }
}

TEST(OutOfMemory, WhileReadingWritingAndStreamingFiles) {
  const Folder folder;
  Dataset numbers = table(600);
  std::erase_if(numbers.columns, [](const Column& c) { return !c.numeric(); });
  for (const char* name : {"t.csv", "t.npy", "t.libsvm", "t.csv.gz", "t.csv.zst"}) {
    const std::string path = folder.file(name), target = "yield of the field";
    starve(std::string("write ") + name, [&] { return done(write(numbers, path, target)); }, nothing);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()), 1) << name;
    starve(std::string("read ") + name, [&] { return read(path); }, show);
    starve(
        std::string("stream ") + name,
        [&]() -> Result<Index> {
          const auto stream = open_stream(path, {}, 256);
          if (!stream) return std::unexpected(stream.error());
          Index rows = 0;
          for (Dataset block;;) {
            const auto more = (*stream)->next(block);
            if (!more) return std::unexpected(more.error());
            if (!*more) break;
            rows += block.rows;
          }
          if (auto again = (*stream)->rewind(); !again) return std::unexpected(again.error());
          return rows;
        },
        [](Index rows) { return std::to_string(rows); });
    fs::remove(path);
  }
}

TEST(OutOfMemory, WhileFittingATable) {
  const Dataset data = table(50);
  for (const char* word : {"linear", "ridge"}) starve(word, [&] { return fit(word, data, kOptions); }, show);
}

TEST(OutOfMemory, InWorkersOfThePool) { // more rows than a block has
  const Numbers numbers(9000, 3);
  starve("fit", [&] { return fit("linear", numbers.arrays, {.threads = 3}); }, show);
  const Model model = fit("linear", numbers.arrays).value();
  starve("predict", [&] { return model.predict(numbers.arrays.dense, 3); }, show);
  starve("verify", [&] { return verify(model, numbers.arrays); }, show);
}

// On numbers, or on two classes where the model has classes: forty numbers would be forty of them.
const Arrays& suiting(const ModelInfo& info, const FitOptions& options, const Numbers& numbers, const Numbers& labels) {
  const auto found = fit(info.word, labels.arrays, options);
  return found && found->classifies() ? labels.arrays : numbers.arrays;
}

TEST(OutOfMemory, InEverySolver) {
  const Numbers numbers(40, 5);
  Numbers labels(40, 5);
  for (double& y : labels.y) y = y < 500 ? -1 : 1;
  for (const ModelInfo& info : models())
    for (const ParamInfo& param : info.params)
      for (const std::string& solver : param.choices) {
        if (param.name == "metric" && (info.word == "knn-regression" || info.word == "lof")) continue; // as for knn
        FitOptions options{.threads = 2, .params = {{param.name, solver}}};
        if (info.word == "ridge") options.params["lambda"] = 0.1;
        const Arrays& arrays = suiting(info, options, numbers, labels);
        for (const char* limit : {"passes", "steps"}) { // each pass asks for the same memory
          FitOptions few = options;
          few.params[limit] = 2.0;
          if (fit(info.word, arrays, few)) options = few;
        }
        if (!fit(info.word, arrays, options)) continue; // not for this model
        starve(info.word + " by " + solver, [&] { return fit(info.word, arrays, options); }, show);
      }
}

// Words too long to lie in a string itself, each allocation in turn.
TEST(OutOfMemory, WhileLongWordsOfParametersAreCopied) {
  const Numbers numbers(6, 1);
  for (const char* word : {"linear", "ridge"}) {
    FitOptions options{.threads = 1, .params = {{"solver", "gradient-descent"}, {"passes", 1.0}}};
    if (word == std::string("ridge")) options.params["lambda"] = 0.1;
    starve(
        std::string(word) + ", every allocation", [&] { return fit(word, numbers.arrays, options); }, show, [] {},
        100000);
  }
}

TEST(OutOfMemory, WhileFittingAndVerifyingAStream) {
  const Folder folder;
  const std::string path = folder.file("t.csv");
  std::ofstream(path) << csv(3000);
  starve("fit", [&] { return fit_stream("ridge", path, {}, kOptions); }, show);
  const Model model = fit_stream("ridge", path, {}, kOptions).value();
  starve("verify", [&] { return verify_stream(model, path); }, show);
}

TEST(OutOfMemory, WhileUsingAModel) {
  const Dataset data = table(50);
  const Model model = fit("linear", data, kOptions).value();
  starve("predict", [&] { return model.predict(data); }, show);
  starve("verify", [&] { return verify(model, data); }, show);
  starve("evaluate", [&] { return evaluate(model, data); }, nothing);
  starve("check", [&] { return check(data, kOptions); }, nothing);
}

TEST(OutOfMemory, WhileSavingTheFileIsTheOldOneOrTheNewOne) {
  const Folder folder;
  const std::string path = folder.file("a model with a long name.recta");
  const Model model = fit("linear", table(50), kOptions).value();
  const Model old = fit("linear", table(20), kOptions).value();
  const auto old_or_new = [&, old = old.to_bytes(), now = model.to_bytes()] {
    std::stringstream found;
    found << std::ifstream(path, std::ios::binary).rdbuf();
    EXPECT_TRUE(found.str().empty() || found.str() == old || found.str() == now);
    std::ofstream(path, std::ios::binary) << old;
  };
  starve("save", [&] { return done(model.save(path)); }, nothing, old_or_new);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()), 1);
  const std::string bytes = model.to_bytes();
  ASSERT_TRUE(model.save(path));
  starve("load", [&] { return Model::load(path); }, show);
  starve("from_bytes", [&] { return Model::from_bytes(bytes, path); }, show);
}

TEST(OutOfMemory, WhileGatheringAndMergingStatistics) {
  const Numbers numbers(300, 4);
  starve("gather", [&] { return Statistics::gather(numbers.arrays); }, [](const auto& s) { return s.to_bytes(); });
  const Statistics statistics = Statistics::gather(numbers.arrays).value();
  const std::string bytes = statistics.to_bytes();
  starve("from_bytes", [&] { return Statistics::from_bytes(bytes); }, [](const auto& s) { return s.to_bytes(); });
  starve("fit", [&] { return fit("ridge", statistics); }, show);
}

} // namespace
} // namespace recta
