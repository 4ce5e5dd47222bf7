// Kernels of texts and graphs worked by hand, and beside slow computations from their definitions.
#include "base/numbers.hpp"
#include "data/graph/graph.hpp"
#include "kernel/points.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace recta::kernel {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

double value(Settings settings, const std::u32string& x, const std::u32string& z, double* error = nullptr) {
  const auto kernel = make_kernel(settings);
  const auto set = kernel->texts();
  set->add(z);
  double out = 0;
  const double off = set->values(x, 1, &out);
  if (error) *error = off;
  return out;
}

Settings string_kernel(const char* word, Index length, double decay = 0.5, bool normalise = false) {
  Settings out{.word = word};
  out.length = length, out.decay = decay, out.normalise = normalise;
  return out;
}

// Lodhi et al., section 3: cat and car share c, a and c-a; K_2 = decay^4. K_2(cat, cat) = 2 decay^4 + decay^6.
TEST(SubsequenceKernel, OfCatAndCarIsThatOfThePaper) {
  for (const double decay : {0.5, 0.9, 1.0}) {
    const Settings two = string_kernel("string:subsequence", 2, decay);
    EXPECT_NEAR(value(two, U"cat", U"car"), std::pow(decay, 4), 1e-15);
    EXPECT_NEAR(value(two, U"cat", U"cat"), 2 * std::pow(decay, 4) + std::pow(decay, 6), 1e-15);
    EXPECT_NEAR(value(string_kernel("string:subsequence", 2, decay, true), U"cat", U"car"), 1 / (2 + decay * decay),
                1e-15);
  }
  // c-t spans three characters in cat and four in cart: decay^3 decay^4; c-a and a-t: decay^2 decay^2 and decay^2
  // decay^3.
  EXPECT_NEAR(value(string_kernel("string:subsequence", 2, 0.5), U"cat", U"cart"),
              std::pow(0.5, 7) + std::pow(0.5, 4) + std::pow(0.5, 5), 1e-15);
}

// All choices of places, as the definition has them.
double slow_subsequences(const std::u32string& x, const std::u32string& z, Index length, double decay) {
  const auto weights = [&](const std::u32string& text) {
    std::map<std::u32string, double> out;
    for (std::uint32_t chosen = 0; chosen < 1U << text.size(); ++chosen) {
      if (std::popcount(chosen) != length) continue;
      std::u32string u;
      for (std::size_t i = 0; i < text.size(); ++i)
        if (chosen >> i & 1) u.push_back(text[i]);
      out[u] += std::pow(decay, 32 - std::countl_zero(chosen) - std::countr_zero(chosen));
    }
    return out;
  };
  const auto a = weights(x), b = weights(z);
  double sum = 0;
  for (const auto& [u, weight] : a)
    if (const auto found = b.find(u); found != b.end()) sum += weight * found->second;
  return sum;
}

TEST(SubsequenceKernel, IsTheSumOverAllChoicesOfPlaces) {
  std::mt19937 engine(4);
  for (int round = 0; round < 40; ++round) {
    std::u32string x, z;
    for (std::size_t k = engine() % 9; k > 0; --k) x.push_back(U"abñ"[engine() % 3]);
    for (std::size_t k = engine() % 9; k > 0; --k) z.push_back(U"abñ"[engine() % 3]);
    const Index length = 1 + static_cast<Index>(engine() % 4);
    double error = 0;
    const double found = value(string_kernel("string:subsequence", length, 0.7), x, z, &error);
    EXPECT_NEAR(found, slow_subsequences(x, z, length, 0.7), error + 1e-14);
    EXPECT_LE(error, 1e-13);
  }
}

// abab: ab twice, ba once. abba: ab, bb, ba.
TEST(SpectrumKernel, CountsCommonRuns) {
  EXPECT_EQ(value(string_kernel("string:spectrum", 2), U"abab", U"abba"), 2 * 1 + 1 * 1);
  EXPECT_EQ(value(string_kernel("string:blended", 2), U"abab", U"abba"), 3 + 2 * 2 + 2 * 2);
  EXPECT_NEAR(value(string_kernel("string:spectrum", 2, 0.5, true), U"abab", U"abba"), 3 / std::sqrt(5.0 * 3.0), 1e-15);
}

// Every run over an alphabet of three letters, by the definition.
TEST(MismatchKernel, IsTheSumOverAllRunsOfTheAlphabet) {
  const std::u32string letters = U"abc", x = U"abcab", z = U"ccabb";
  for (const Index mismatches : {Index{0}, Index{1}, Index{2}}) {
    double expected = 0;
    for (const char32_t p : letters)
      for (const char32_t q : letters)
        for (const char32_t r : letters) {
          const std::u32string w{p, q, r};
          const auto count = [&](const std::u32string& text) {
            double out = 0;
            for (std::size_t i = 0; i + 3 <= text.size(); ++i) {
              Index other = 0;
              for (std::size_t k = 0; k < 3; ++k) other += text[i + k] != w[k] ? 1 : 0;
              out += other <= mismatches ? 1 : 0;
            }
            return out;
          };
          expected += count(x) * count(z);
        }
    Settings settings = string_kernel("string:mismatch", 3);
    settings.mismatches = mismatches, settings.alphabet = 3;
    EXPECT_EQ(value(settings, x, z), expected) << mismatches;
  }
}

TEST(StringKernels, OfEmptyAndShortTextsAreZero) {
  for (const char* word : {"string:subsequence", "string:spectrum", "string:mismatch"})
    for (const bool normalise : {false, true}) {
      const Settings settings = string_kernel(word, 3, 0.5, normalise);
      EXPECT_EQ(value(settings, U"", U"abc"), 0);
      EXPECT_EQ(value(settings, U"ab", U"ab"), 0);
      EXPECT_EQ(value(settings, U"", U""), 0);
    }
  EXPECT_NEAR(value(string_kernel("string:subsequence", 3, 0.5, true), U"añ©d", U"añ©d"), 1, 1e-14);
}

TEST(StringKernels, OfAMillionCharactersHaveExactCounts) {
  std::u32string x, z = U"abc";
  for (int k = 0; k < 1'000'000; ++k) x.push_back(U"abc"[k % 3]);
  EXPECT_EQ(value(string_kernel("string:spectrum", 3), x, z), 333'333);
  EXPECT_NEAR(value(string_kernel("string:subsequence", 1, 1.0), x, z), 1'000'000, 1e-6);
}

TEST(Graphs, AreReadAsTheyAreWritten) {
  Graph graph;
  EXPECT_THAT(read_graph(U" a-b; b-c ;d;a:C;b-a;c-c", graph), IsEmpty());
  EXPECT_EQ(graph.nodes(), 4);
  EXPECT_EQ(graph.labels, (std::vector<std::u32string>{U"C", U"", U"", U""}));
  EXPECT_EQ(graph.edges, (std::vector<std::vector<Index>>{{1}, {0, 2}, {1, 2}, {}}));
  EXPECT_EQ(graph.distances(0), (std::vector<Index>{0, 1, 2, -1}));
  EXPECT_THAT(read_graph(U"a-b-c", graph), HasSubstr("not an edge between two nodes"));
  EXPECT_THAT(read_graph(U"a-b;-c", graph), HasSubstr("part 2"));
  EXPECT_THAT(read_graph(U":C", graph), HasSubstr("labels no node"));
  EXPECT_THAT(read_graph(U"", graph), IsEmpty());
  EXPECT_EQ(graph.nodes(), 0);
}

TEST(Graphs, AreReadFromLinesOfEdges) {
  Graph graph;
  NodeNumbers numbers;
  EXPECT_THAT(read_graph(U"# a comment\nnode-1 node-2\nnode-2,\tx\n\ny\nnode-1: C\nx:D\r\nx y\nz-1", graph, &numbers),
              IsEmpty());
  EXPECT_EQ(graph.nodes(), 5);
  EXPECT_EQ(numbers.at(U"node-2"), 1);
  EXPECT_EQ(graph.labels, (std::vector<std::u32string>{U"C", U"", U"D", U"", U""}));
  EXPECT_EQ(graph.edges, (std::vector<std::vector<Index>>{{1}, {0, 2}, {1, 3}, {2}, {}}));
  EXPECT_THAT(read_graph(U"# no blanks\na-b\na: C\n", graph), IsEmpty());
  EXPECT_EQ(graph.edges, (std::vector<std::vector<Index>>{{1}, {0}}));
  EXPECT_THAT(read_graph(U"http://a http://b\n", graph, &numbers), IsEmpty());
  EXPECT_EQ(graph.edges, (std::vector<std::vector<Index>>{{1}, {0}}));
  EXPECT_THAT(read_graph(U"a b\na b 0.5\n", graph), HasSubstr("line 2 of the graph is not an edge between two nodes"));
  EXPECT_THAT(read_graph(U"New York-Paris", graph), IsEmpty());
  EXPECT_EQ(graph.nodes(), 2) << "one line has names with blanks";
}

const std::u32string kTriangle = U"a-b;b-c;c-a", kPath = U"x-y;y-z";

TEST(WeisfeilerLehman, OfTriangleAndPathIsCountedByHand) {
  Settings settings{.word = "graph:wl"};
  settings.normalise = false;
  for (const auto& [rounds, both, triangle, path] :
       {std::tuple{0, 9, 9, 9}, std::tuple{1, 12, 18, 14}, std::tuple{2, 12, 27, 19}}) {
    settings.rounds = rounds; // ends of the path have one neighbour, and its middle two, as every node of the triangle
    EXPECT_EQ(value(settings, kTriangle, kPath), both);
    EXPECT_EQ(value(settings, kTriangle, kTriangle), triangle);
    EXPECT_EQ(value(settings, kPath, kPath), path);
  }
  settings.normalise = true, settings.rounds = 1;
  EXPECT_NEAR(value(settings, kTriangle, kPath), 12 / std::sqrt(18.0 * 14.0), 1e-15);
  EXPECT_EQ(value(settings, kTriangle + U";a:C;b:C;c:C", kPath), 0) << "no label in common";
}

TEST(ShortestPaths, OfTriangleAndPathAreCountedByHand) {
  Settings settings{.word = "graph:shortest-path"};
  settings.normalise = false;
  EXPECT_EQ(value(settings, kTriangle, kPath), 3 * 2);     // pairs at distance 1
  EXPECT_EQ(value(settings, kPath, kPath), 2 * 2 + 1 * 1); // and one at distance 2
  EXPECT_EQ(value(settings, U"a;b", kPath), 0);            // no way between two nodes
}

// One edge each: both pairs of ends step to each other, so that every term is decay times the one before:
// k = (1 / 16) 4 / (1 - decay). A loop-free single node has the walk of no steps alone.
TEST(RandomWalks, OfTwoEdgesAreAGeometricSeries) {
  Settings settings{.word = "graph:random-walk"};
  settings.normalise = false, settings.decay = 0.3;
  double error = 0;
  EXPECT_NEAR(value(settings, U"a-b", U"c-d", &error), 4.0 / 16 / (1 - 0.3), 1e-15);
  EXPECT_LE(error, 1e-13);
  EXPECT_NEAR(value(settings, U"a", U"c"), 1, 1e-15);
  // Triangles: every pair has four pairs around it; k = 9 / 81 / (1 - 4 decay).
  settings.decay = 0.2;
  EXPECT_NEAR(value(settings, kTriangle, kTriangle), 1.0 / 9 / (1 - 0.8), 1e-13);
  EXPECT_THAT(make_kernel(settings)->fault(kTriangle), IsEmpty());
  settings.decay = 0.25;
  EXPECT_THAT(make_kernel(settings)->fault(kTriangle), HasSubstr("below 1 / 2^2 = 0.25"));
}

Settings diffusion(double beta, const char* network, bool normalise = false) {
  Settings out{.word = "graph:diffusion"};
  out.beta = beta, out.network = network, out.normalise = normalise;
  return out;
}

// One edge: L = [1 -1; -1 1] has the eigenvalues 0 and 2, so exp(-beta L) = (1 +- exp(-2 beta)) / 2, and divided by its
// diagonal tanh(beta).
TEST(Diffusion, OfTheTwoNodesOfAnEdgeIsWorkedByHand) {
  for (const double beta : {0.1, 1.0, 3.0}) {
    double error = 0;
    EXPECT_NEAR(value(diffusion(beta, "a-b"), U"a", U"a", &error), (1 + std::exp(-2 * beta)) / 2, 1e-15);
    EXPECT_NEAR(value(diffusion(beta, "a-b"), U"a", U" b "), (1 - std::exp(-2 * beta)) / 2, 1e-15);
    EXPECT_NEAR(value(diffusion(beta, "a-b", true), U"a", U"b"), std::tanh(beta), 1e-15);
    EXPECT_LE(error, 1e-13);
  }
  EXPECT_EQ(value(diffusion(1, "a-b;c"), U"a", U"c"), 0) << "no way between them";
  EXPECT_EQ(value(diffusion(1, "a-b;c;c-c"), U"c", U"c"), 1) << "a loop keeps its heat";
}

// All n nodes joined: the eigenvalues are 0 and n, so k = (1 - exp(-n beta)) / n between two nodes. A star of m leaves
// has 0, 1 and m + 1; between two leaves k = 1 / (m + 1) - exp(-beta) / m + exp(-(m + 1) beta) / (m (m + 1)).
TEST(Diffusion, OfCompleteGraphsAndStarsIsThatOfTheirEigenvalues) {
  std::string complete, star;
  for (int u = 0; u < 9; ++u)
    for (int v = 0; v < u; ++v) complete += std::to_string(u) + "-" + std::to_string(v) + ";";
  EXPECT_NEAR(value(diffusion(0.07, complete.c_str()), U"3", U"7"), (1 - std::exp(-9 * 0.07)) / 9, 1e-15);
  constexpr double m = 400;
  for (int v = 0; v < 400; ++v) star += "hub s" + std::to_string(v) + "\n";
  for (const double beta : {0.5, 3.0, 25.0}) { // up to 10,000 / 30 steps
    double error = 0;
    const double found = value(diffusion(beta, star.c_str()), U"s3", U"s7", &error);
    EXPECT_NEAR(found, 1 / (m + 1) - std::exp(-beta) / m + std::exp(-(m + 1) * beta) / (m * (m + 1)), 1e-15 + error);
    EXPECT_LE(error, 4e-9);
  }
}

TEST(Diffusion, RefusesWhatItCannotCompute) {
  EXPECT_THAT(fault_of(diffusion(1, "")).what, HasSubstr("is missing"));
  EXPECT_THAT(fault_of(diffusion(1, "a-b-c")).what, HasSubstr("part 1"));
  EXPECT_THAT(fault_of(diffusion(1, "\xFF")).what, HasSubstr("UTF-8"));
  EXPECT_THAT(fault_of(diffusion(0, "a-b")).what, HasSubstr("above 0"));
  EXPECT_THAT(fault_of(diffusion(1e5, "a-b;b-c")).what, HasSubstr("beta is 100000 and a node has 2 edges"));
  EXPECT_THAT(fault_of(diffusion(1e5, "a-b;b-c")).cure, HasSubstr("5000 or less"));
  std::string many;
  for (int u = 0; u < 10'001; ++u) many += std::to_string(u) + ";";
  EXPECT_THAT(fault_of(diffusion(1, many.c_str())).what, HasSubstr("10001 nodes"));
  EXPECT_THAT(make_kernel(diffusion(1, "a-b"))->fault(U"ñ"), HasSubstr("no node \"ñ\""));
  EXPECT_THAT(make_kernel(diffusion(1, "a-b"))->fault(U" "), HasSubstr("names no node"));
}

TEST(KernelsOfTexts, HaveTheSameBitsAloneAndAmongMany) {
  std::mt19937 engine(7);
  std::vector<std::u32string> texts;
  for (int k = 0; k < 20; ++k) {
    std::u32string& text = texts.emplace_back();
    for (std::size_t c = engine() % 30; c > 0; --c) text.push_back(U"acgt"[engine() % 4]);
  }
  Pool pool(2);
  for (const char* word : {"string:spectrum", "string:blended", "string:mismatch", "string:subsequence"}) {
    const auto kernel = make_kernel(string_kernel(word, 2, 0.6, true));
    Points points(kernel->texts());
    for (const auto& text : texts) points.add(text);
    std::vector<double> upper(400), one(20);
    points.upper_triangle(*kernel, upper.data(), &pool);
    for (Index i = 0; i < 20; ++i) {
      points.values_of(*kernel, std::span(&i, 1), one.data(), 20);
      for (Index j = 0; j < 20; ++j)
        EXPECT_EQ(one[at(j)], upper[at(std::max(i, j) * 20 + std::min(i, j))]) << word << i << " " << j;
    }
  }
}

} // namespace
} // namespace recta::kernel
