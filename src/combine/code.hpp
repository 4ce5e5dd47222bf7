// Several classes as problems of two: which class stands on which side of which part.
//
// one against all   part k: class k (1) against all others (-1). The largest score wins.
// all against all   a part for each pair k < l: class k (1) against class l (-1), without the rows of the others (0).
//                   Each part votes (model/votes.hpp).
// output codes      up to seven classes: all 2^(K-1) - 1 ways to divide them; beyond, 10 log2 K random ones, of a
//                   hundred such codes the one whose rows differ in most places. A class's score is the log-likelihood
//                   of its row of the code, sum_j log sigma(m_kj z_j), or -sum_j max(0, 1 - m_kj z_j) if parts have no
//                   probabilities.
#pragma once

#include <recta/error.hpp>

#include <string>
#include <vector>

namespace recta::combine {

enum class Scheme : std::uint8_t { ova, ovo, ecoc };
inline constexpr const char* kSchemes[] = {"ova", "ovo", "ecoc"}; // by the value of Scheme

Result<Scheme> scheme_of(const std::string& word);

struct Code {
  Scheme scheme = Scheme::ova;
  Index classes = 0, parts = 0;
  std::vector<std::int8_t> side; // classes x parts: 1, -1, or 0 for a class that the part does not see

  int at(Index place, Index part) const { return side[static_cast<std::size_t>(place * parts + part)]; }
};

Code code_of(Scheme scheme, Index classes, std::uint64_t seed);
// Whether every part divides the classes it sees, as the scheme says.
bool is_whole(const Code& code);

double sigma(double z); // 1 / (1 + e^-z)

// From the scores of all parts, rows x parts, to those of all classes, rows x classes. NaN stays.
void combine_scores(const Code& code, bool probabilities, const double* z, Index rows, double* out);
// Probabilities of all classes from parts that have them. One against all: sigma(z_k), made to add up to one. All
// against all: by coupling (coupling.hpp); where the votes say another class, it takes the largest probability.
void combine_probabilities(const Code& code, const double* z, Index rows, double* out);

} // namespace recta::combine
