#include "model/linear/answers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta {
namespace {

constexpr Index kRowsATask = 4096;
constexpr double kBelowHalf = 0.5 - 0x1p-54;

// Of two classes, from the score of the positive one; never 1/2 for the one that is not taken, but at zero.
void two_probabilities(double z, Index positive, double* out) {
  const double e = std::exp(-std::abs(z)), taken = 1 / (1 + e);
  const double rest = z == 0 ? 0.5 : std::min(e / (1 + e), kBelowHalf);
  out[positive] = z >= 0 ? taken : rest;
  out[1 - positive] = z >= 0 ? rest : taken;
}

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

struct Scores {
  const double* z;
  Index count; // of one row
};

// The first of the largest, as the probabilities are written; NaN where there is no score.
double taken(const Scores& row, Index classes, Index positive) {
  if (std::isnan(row.z[0])) return row.z[0];
  if (row.count == 1) return static_cast<double>(row.z[0] >= 0 ? positive : 1 - positive);
  if (classes == 2) return static_cast<double>(row.z[positive] >= row.z[1 - positive] ? positive : 1 - positive);
  const double most = *std::max_element(row.z, row.z + row.count);
  Index k = 0;
  while (!(std::exp(row.z[k] - most) == 1)) ++k;
  return static_cast<double>(k);
}

void probabilities(const Scores& row, Index classes, Index positive, double* out) {
  if (std::isnan(row.z[0])) {
    std::fill_n(out, classes, row.z[0]);
    return;
  }
  if (classes == 2) {
    const double z = row.count == 1 ? row.z[0] : row.z[positive] - row.z[1 - positive];
    return two_probabilities(z, positive, out);
  }
  const double most = *std::max_element(row.z, row.z + row.count);
  double sum = 0;
  for (Index k = 0; k < classes; ++k) sum += out[k] = std::exp(row.z[k] - most);
  for (Index k = 0; k < classes; ++k) out[k] /= sum;
}

// A factor c_k multiplies the odds of its class by c_k: it is a constant of its score, and is taken off.
void take_factors(const Classes& classes, Index width, Values& scores) {
  if (classes.factor.empty()) return;
  std::vector<double> off;
  for (const double factor : classes.factor) off.push_back(std::log(factor));
  if (width == 1) off = {off[at(classes.positive)] - off[at(1 - classes.positive)]};
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] -= off[i % at(width)];
}

} // namespace

Values class_answers(const Model& model, Values scores, Answer answer, Pool& pool) {
  if (answer == Answer::decision) return scores;
  if (answer == Answer::corrected)
    take_factors(model.schema.classes, static_cast<Index>(model.linear.targets.size()), scores);
  const auto width = static_cast<Index>(model.linear.targets.size()), columns = model.columns(answer);
  const Index rows = static_cast<Index>(scores.size()) / width, classes = model.schema.classes.count();
  const Index positive = model.schema.classes.positive;
  const bool in_place = columns == width;
  Values out(in_place ? 0 : static_cast<std::size_t>(rows * columns));
  double* to = in_place ? scores.data() : out.data();
  const bool apart = answer != Answer::prediction && !in_place; // what is written is not what is read
  pool.run((rows + kRowsATask - 1) / kRowsATask, [&](Index task, int) {
    std::vector<double> room(at(classes));
    for (Index i = task * kRowsATask; i < std::min(rows, (task + 1) * kRowsATask); ++i) {
      const Scores row{scores.data() + i * width, width};
      if (answer == Answer::prediction) {
        to[i * columns] = taken(row, classes, positive);
        continue;
      }
      probabilities(row, classes, positive, apart ? to + i * columns : room.data());
      if (!apart) std::ranges::copy(room, to + i * columns);
    }
  });
  return in_place ? std::move(scores) : std::move(out);
}

} // namespace recta
