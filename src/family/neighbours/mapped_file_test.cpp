// Large models of nearest neighbours stay in their file: they answer as before, whatever is damaged is refused when it
// is read, and forged numbers lead nowhere.
#include "base/checked_pieces.hpp"
#include "base/random.hpp"
#include "base/sha256.hpp"
#include "family/neighbours/body.hpp"
#include "model_file/tensor_file.hpp"

#include <recta/estimator.hpp>

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace recta {
namespace {

using testing::HasSubstr;

struct Cloud {
  Index rows, cols;
  std::vector<double> x{}, y{};

  Cloud(Index n, Index p) : rows(n), cols(p) {
    Random random(11);
    for (Index i = 0; i < n * p; ++i) x.push_back(random.normal());
    for (Index i = 0; i < n; ++i) y.push_back(x[at(i * p)] > 0.3 ? 1 : 0);
  }
  Arrays arrays() const {
    return {.dense = MatrixView::row_major(x.data(), rows, cols), .y = MatrixView::vector(y.data(), rows)};
  }
};

std::string place_of(const std::string& name) {
  return testing::TempDir() + name + std::to_string(::getpid()) + ".recta"; // tests run side by side
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// A model in a file, and a few of its rows as queries.
struct Stored {
  Cloud cloud;
  std::string path, bytes;
  std::vector<double> queries{}, answers{};

  Stored(const std::string& name, Cloud rows, const FitOptions& options)
      : cloud(std::move(rows)), path(place_of(name)) {
    const auto model = fit("knn", cloud.arrays(), options);
    EXPECT_TRUE(model) << model.error().text();
    const auto saved = model->save(path);
    EXPECT_TRUE(saved) << saved.error().text();
    bytes = bytes_of(path);
    queries.assign(cloud.x.begin(), cloud.x.begin() + 20 * cloud.cols);
    for (double& one : queries) one += 0.01;
    const auto found = answers_of(*model);
    EXPECT_TRUE(found);
    answers = *found;
  }
  ~Stored() { std::filesystem::remove(path); }

  Result<std::vector<double>> answers_of(const Model& model) const {
    auto found = model.predict(MatrixView::row_major(queries.data(), 20, cloud.cols), 1, Answer::probability);
    if (!found) return std::unexpected(found.error());
    return std::vector<double>(found->begin(), found->end());
  }
  // The answers of the model in the file, which may not load.
  Result<std::vector<double>> answers_now() const {
    const auto model = Model::load(path);
    if (!model) return std::unexpected(model.error());
    return answers_of(*model);
  }
  TensorFile tensors() const { return *TensorFile::parse(bytes, path); }
};

FitOptions options_of(const std::string& index) {
  FitOptions options;
  options.params = {{"k", 3.0}, {"index", index}};
  if (index == "hnsw") options.params["links"] = 64.0, options.params["ef-construction"] = 70.0;
  return options;
}

// Large enough that every tensor that grows with the rows has digests.
const Stored& stored(const std::string& index) {
  static const Stored kd("kd", Cloud(204'000, 1), options_of("kd-tree"));
  static const Stored balls("balls", Cloud(290'000, 1), options_of("ball-tree"));
  static const Stored graph("graph", Cloud(2100, 128), options_of("hnsw"));
  return index == "kd-tree" ? kd : index == "ball-tree" ? balls : graph;
}

const std::vector<std::string> kIndices{"kd-tree", "ball-tree", "hnsw"};

TEST(MappedNeighbours, AnswerAsBeforeAndAreWrittenAsBefore) {
  for (const std::string& index : kIndices) {
    const Stored& file = stored(index);
    const auto model = Model::load(file.path);
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(*file.answers_of(*model), file.answers) << index;
    EXPECT_EQ(model->to_bytes(), file.bytes) << index;
    const auto whole = Model::from_bytes(file.bytes, "memory"); // nothing stays in a file
    ASSERT_TRUE(whole) << whole.error().text();
    EXPECT_EQ(*file.answers_of(*whole), file.answers) << index;
    const auto& body = dynamic_cast<const neighbours::NeighbourBody&>(*model->body);
    EXPECT_TRUE(body.rows().x.view().in_file()) << index;
    const auto parts = body.built();
    EXPECT_TRUE(parts.tree ? parts.tree->cuts.view().in_file() && parts.tree->order.view().in_file() &&
                                 parts.tree->rows.view().in_file()
                           : parts.graph->floats.x.view().in_file())
        << index;
  }
}

TEST(MappedNeighbours, OfOtherUnitsHaveTheirPointsInTheFile) {
  FitOptions options = options_of("kd-tree");
  options.standardise = true;
  const Stored file("units", Cloud(66'000, 2), options);
  EXPECT_TRUE(file.tensors().tensors.contains("neighbours.points"));
  const auto model = Model::load(file.path);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(*file.answers_of(*model), file.answers);
  const auto proof = verify(*model, file.cloud.arrays());
  ASSERT_TRUE(proof) << proof.error().text();
  EXPECT_EQ(proof->verdict, Verdict::proved) << proof->sentence();
}

TEST(MappedNeighbours, OfASmallModelHaveNoTreeInTheFile) {
  const Stored file("small", Cloud(400, 2), options_of("kd-tree"));
  EXPECT_FALSE(file.tensors().tensors.contains("neighbours.tree.cuts"));
  EXPECT_FALSE(file.tensors().tensors.contains("sha256.rest"));
}

TEST(MappedNeighbours, StayThereWhenAnotherModelTakesTheName) {
  const Stored file("replaced", Cloud(132'000, 1), options_of("kd-tree"));
  const auto model = Model::load(file.path);
  ASSERT_TRUE(model);
  const auto other = fit("knn", Cloud(50, 1).arrays(), options_of("brute"));
  ASSERT_TRUE(other);
  ASSERT_TRUE(other->save(file.path)); // before anything of the first one was read
  EXPECT_EQ(*file.answers_of(*model), file.answers);
}

// One flipped bit anywhere: the file is refused, or what is read of it is as it was.
TEST(MappedNeighbours, AreRefusedWhereTheyAreDamagedWheneverThatIsRead) {
  for (const std::string& index : kIndices) {
    const Stored& file = stored(index);
    Random random(5);
    Index refused = 0;
    for (int round = 0; round < 60; ++round) {
      std::string damaged = file.bytes;
      damaged[static_cast<std::size_t>(random.uniform() * static_cast<double>(damaged.size()))] ^= 4;
      put(file.path, damaged);
      const auto now = file.answers_now();
      if (now)
        EXPECT_EQ(*now, file.answers) << index;
      else
        EXPECT_EQ(now.error().code, ErrorCode::bad_model_file) << now.error().text();
      refused += now ? 0 : 1;
    }
    EXPECT_LT(refused, 60) << index; // damage that is not read is not found either
    put(file.path, file.bytes);
  }
}

TEST(MappedNeighbours, AreRefusedByVerifyWhereverTheyAreDamaged) {
  const Stored& file = stored("hnsw");
  const TensorFile tensors = file.tensors();
  for (const char* name : {"neighbours.x", "neighbours.graph.points", "neighbours.graph.layer0"}) {
    const Tensor& tensor = tensors.tensors.find(name)->second;
    ASSERT_FALSE(tensor.digests.empty()) << name;
    std::string damaged = file.bytes;
    damaged[static_cast<std::size_t>(tensor.bytes.data() - file.bytes.data()) + tensor.bytes.size() - 1] ^= 1;
    put(file.path, damaged);
    const auto model = Model::load(file.path);
    ASSERT_TRUE(model) << model.error().text();
    const auto proof = verify(*model, file.cloud.arrays());
    ASSERT_FALSE(proof) << name;
    EXPECT_THAT(proof.error().text(), HasSubstr(file.path + ": damaged model file: the bytes of its tensor \"" + name +
                                                "\" do not have the checksums it states; fit the model again"));
    const auto again = model->save(place_of("again"));
    ASSERT_FALSE(again) << name;
    EXPECT_THAT(again.error().text(), HasSubstr("damaged model file"));
    EXPECT_FALSE(Model::from_bytes(damaged, "memory")); // which checks the whole
  }
  put(file.path, file.bytes);
}

// The bytes with digests that fit them.
std::string forged(const Stored& file, std::string bytes) {
  const TensorFile tensors = file.tensors();
  const auto begin = [&](std::string_view part) { return static_cast<std::size_t>(part.data() - file.bytes.data()); };
  for (const auto& [name, tensor] : tensors.tensors)
    if (!tensor.digests.empty())
      bytes.replace(
          begin(tensor.digests), tensor.digests.size(),
          CheckedPieces::digests_of(std::string_view(bytes).substr(begin(tensor.bytes), tensor.bytes.size())));
  std::string rest = bytes.substr(0, bytes.size() - 64);
  std::map<std::size_t, std::size_t> left_out;
  for (const auto& [name, tensor] : tensors.tensors)
    if (!tensor.digests.empty()) left_out[begin(tensor.bytes)] = tensor.bytes.size();
  for (auto part = left_out.rbegin(); part != left_out.rend(); ++part) rest.erase(part->first, part->second);
  const auto text = [](const Sha256::Digest& digest) { return std::string(digest.begin(), digest.end()); };
  bytes.replace(bytes.size() - 64, 32, text(sha256(rest)));
  bytes.replace(bytes.size() - 32, 32, text(sha256(std::string_view(bytes).substr(0, bytes.size() - 32))));
  return bytes;
}

// Every element of the tensor, or every `step`th from `first` on, is this.
template <class T>
Result<std::vector<double>> answers_with(const Stored& file, const char* name, T value, std::size_t first = 0,
                                         std::size_t step = 1) {
  std::string bytes = file.bytes;
  const TensorFile tensors = file.tensors();
  const Tensor& tensor = tensors.tensors.find(name)->second;
  const auto from = static_cast<std::size_t>(tensor.bytes.data() - file.bytes.data());
  for (std::size_t k = first; k < tensor.bytes.size() / sizeof(T); k += step)
    std::memcpy(bytes.data() + from + k * sizeof(T), &value, sizeof(T));
  put(file.path, forged(file, std::move(bytes)));
  auto out = file.answers_now();
  put(file.path, file.bytes);
  return out;
}

TEST(MappedNeighbours, WithForgedNumbersAreRefusedWhenTheseAreRead) {
  const auto reason = [](const auto& found) { return found ? std::string("answered") : found.error().text(); };
  const Stored &kd = stored("kd-tree"), &balls = stored("ball-tree"), &graph = stored("hnsw");
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(forged(kd, kd.bytes), kd.bytes);
  EXPECT_EQ(forged(graph, graph.bytes), graph.bytes);
  EXPECT_THAT(reason(answers_with(kd, "neighbours.tree.order", Index{204'000})),
              HasSubstr("not a valid model: \"neighbours.tree.order\" holds a number below 0 or from 204000 up"));
  EXPECT_THAT(reason(answers_with(kd, "neighbours.tree.order", Index{-1})), HasSubstr("below 0"));
  for (const double column : {1.0, -1.0, 0.5, inf, nan})
    EXPECT_THAT(reason(answers_with(kd, "neighbours.tree.cuts", column, 0, 3)), HasSubstr("is cut in no column"));
  EXPECT_THAT(reason(answers_with(kd, "neighbours.tree.cuts", nan, 1, 3)), HasSubstr("is cut in no column"));
  EXPECT_THAT(reason(answers_with(kd, "neighbours.tree.points", nan)), HasSubstr("a point of its tree has no place"));
  EXPECT_THAT(reason(answers_with(kd, "neighbours.y", 2.0)), HasSubstr("a row is of no class"));
  EXPECT_THAT(reason(answers_with(balls, "neighbours.tree.cuts", nan)), HasSubstr("is cut in no column"));
  EXPECT_THAT(reason(answers_with(graph, "neighbours.graph.layer0", std::uint32_t{2100}, 1, 129)),
              HasSubstr("a link of its graph leads nowhere"));
  EXPECT_THAT(reason(answers_with(graph, "neighbours.graph.layer0", std::uint32_t{129}, 0, 129)),
              HasSubstr("a link of its graph leads nowhere"));
  EXPECT_THAT(reason(answers_with(graph, "neighbours.graph.rows", Index{2100})), HasSubstr("from 2100 up"));
  EXPECT_THAT(reason(answers_with(graph, "neighbours.x", inf)), HasSubstr("not a finite number"));
}

// Numbers that might be those of a tree, and are not.
TEST(MappedNeighbours, OfAnotherTreeAreRefuted) {
  const Stored file("forged", Cloud(66'000, 2), options_of("kd-tree"));
  const TensorFile tensors = file.tensors();
  std::string bytes = file.bytes;
  const Tensor& order = tensors.tensors.find("neighbours.tree.order")->second;
  const auto from = static_cast<std::size_t>(order.bytes.data() - file.bytes.data());
  std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(from),
                   bytes.begin() + static_cast<std::ptrdiff_t>(from) + 8,
                   bytes.begin() + static_cast<std::ptrdiff_t>(from) + 8 * 40'000);
  put(file.path, forged(file, std::move(bytes)));
  const auto model = Model::load(file.path);
  ASSERT_TRUE(model) << model.error().text();
  const auto proof = verify(*model, file.cloud.arrays());
  ASSERT_TRUE(proof) << proof.error().text();
  EXPECT_EQ(proof->verdict, Verdict::refuted);
  EXPECT_THAT(proof->sentence(), HasSubstr("the rows give another tree than the file"));
}

TEST(MappedNeighbours, WithForgedNumbersAnswerOrAreRefused) {
  for (const std::string& index : kIndices) {
    const Stored& file = stored(index);
    const TensorFile tensors = file.tensors();
    Random random(3);
    for (int round = 0; round < 20; ++round) {
      std::string bytes = file.bytes;
      for (const auto& [name, tensor] : tensors.tensors) {
        if (!name.starts_with("neighbours.") || name.ends_with(".sha256") || tensor.bytes.size() < 64) continue;
        const auto from = static_cast<std::size_t>(tensor.bytes.data() - file.bytes.data());
        for (int k = 0; k < 30; ++k)
          bytes[from + static_cast<std::size_t>(random.uniform() * static_cast<double>(tensor.bytes.size()))] =
              static_cast<char>(random.uniform() * 256);
      }
      put(file.path, forged(file, std::move(bytes)));
      const auto now = file.answers_now();
      if (!now) EXPECT_EQ(now.error().code, ErrorCode::bad_model_file) << now.error().text();
    }
    put(file.path, file.bytes);
  }
}

} // namespace
} // namespace recta
