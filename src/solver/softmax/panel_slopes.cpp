#include "solver/softmax/panel_slopes.hpp"

#include "stats/softmax/softmax.hpp"

#include <algorithm>

namespace recta {
namespace {

constexpr Index kTile = 64; // rows

} // namespace

PanelSlopes::PanelSlopes(const ClassPanels& rows, double total_weight, Pool& pool)
    : rows_(rows), pool_(pool), share_(rows.weight()), p_(static_cast<std::size_t>(rows.scores())) {
  for (double& s : share_) s /= total_weight;
}

template <class Visit>
std::vector<double> PanelSlopes::by_rows(Index count, const Visit& visit) const {
  const Index n = rows_.rows(), tiles = (n + kTile - 1) / kTile;
  std::vector<double> parts(static_cast<std::size_t>(tiles * count)), sums(static_cast<std::size_t>(count));
  pool_.run(tiles, [&](Index tile, int) {
    std::vector<double> room(static_cast<std::size_t>(2 * rows_.classes()));
    for (Index i = tile * kTile; i < std::min(n, (tile + 1) * kTile); ++i)
      visit(i, room.data(), parts.data() + tile * count);
  });
  for (Index tile = 0; tile < tiles; ++tile)
    for (Index s = 0; s < count; ++s) sums[s] += parts[tile * count + s];
  return sums;
}

void PanelSlopes::load(const std::vector<double>& from, Index i, double* out) const {
  for (Index k = 0; k < rows_.classes(); ++k) out[k] = from[rows_.score_place(k, i)];
}
void PanelSlopes::store(const double* from, Index i, std::vector<double>& to) const {
  for (Index k = 0; k < rows_.classes(); ++k) to[rows_.score_place(k, i)] = from[k];
}

double PanelSlopes::look(const std::vector<double>& z) {
  return by_rows(1, [&](Index i, double* p, double* loss) {
    load(z, i, p);
    const double true_score = p[rows_.label()[i]];
    *loss += share_[i] * (softmax_of(p, rows_.classes()) - true_score);
    store(p, i, p_);
  })[0];
}

std::vector<double> PanelSlopes::slopes(std::vector<double>& d) const {
  return by_rows(rows_.classes(), [&](Index i, double* p, double* sums) {
    load(p_, i, p);
    const Index true_class = rows_.label()[i];
    p[true_class] = -other_shares(p, rows_.classes(), true_class); // with all digits of the row's doubt
    for (Index k = 0; k < rows_.classes(); ++k) sums[k] += p[k] *= share_[i];
    store(p, i, d);
  });
}

std::vector<double> PanelSlopes::curvatures(std::vector<double>& c) const {
  const Index classes = rows_.classes();
  return by_rows(classes, [&](Index i, double* p, double* sums) {
    double* const class_curvature = p + classes;
    load(p_, i, p);
    for (Index k = 0; k < classes; ++k) sums[k] += class_curvature[k] = share_[i] * p[k] * other_shares(p, classes, k);
    store(class_curvature, i, c);
  });
}

std::vector<double> PanelSlopes::curved(std::vector<double>& t) const {
  const Index classes = rows_.classes();
  return by_rows(classes + 1, [&](Index i, double* p, double* sums) {
    double* const move = p + classes;
    load(p_, i, p);
    load(t, i, move);
    const double front = move[std::max_element(p, p + classes) - p]; // moves are relative to it: nothing cancels
    double mean = 0, square = 0;
    for (Index k = 0; k < classes; ++k) mean += p[k] * (move[k] - front);
    for (Index k = 0; k < classes; ++k) {
      const double away = move[k] - front - mean;
      move[k] = share_[i] * p[k] * away;
      square += move[k] * away;
      sums[k] += move[k];
    }
    sums[classes] += square;
    store(move, i, t);
  });
}

} // namespace recta
