// A regression of a few rows at 80 digits: its objective, and a point below a given one by Newton's steps there. Kinks
// near the given point are held as equations, so that a step ends at the vertex. Whatever lies below the point proves
// that it is no nearer to the optimum than the difference, be the point found the optimum or not.
#pragma once

#include "problem.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace recta::testing {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<80>, boost::multiprecision::et_off>;
using Reals = std::vector<Real>;

// x with [H A'; A 0] x = r by complete pivoting; directions along which the matrix vanishes are left alone.
inline Reals solve(std::vector<Reals> m, Reals r) {
  const std::size_t size = r.size();
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < size; ++k) order.push_back(k);
  Real first = 0;
  std::size_t rank = 0;
  for (; rank < size; ++rank) {
    std::size_t row = rank, column = rank;
    for (std::size_t a = rank; a < size; ++a)
      for (std::size_t b = rank; b < size; ++b)
        if (abs(m[a][b]) > abs(m[row][column])) row = a, column = b;
    if (rank == 0) first = abs(m[row][column]);
    if (abs(m[row][column]) <= first * Real("1e-50")) break;
    std::swap(m[rank], m[row]), std::swap(r[rank], r[row]), std::swap(order[rank], order[column]);
    for (Reals& each : m) std::swap(each[rank], each[column]);
    for (std::size_t a = rank + 1; a < size; ++a) {
      const Real factor = m[a][rank] / m[rank][rank];
      for (std::size_t b = rank; b < size; ++b) m[a][b] -= factor * m[rank][b];
      r[a] -= factor * r[rank];
    }
  }
  Reals x(size);
  for (std::size_t a = rank; a-- > 0;) {
    Real rest = r[a];
    for (std::size_t b = a + 1; b < rank; ++b) rest -= m[a][b] * x[order[b]];
    x[order[a]] = rest / m[a][a];
  }
  return x;
}

class Oracle {
public:
  explicit Oracle(const Problem& problem) : t_(problem), width_(t_.p + (t_.intercept ? 1 : 0)) {
    for (Index i = 0; i < t_.n; ++i) total_ += weight(i);
    for (Index j = 0; j < t_.p; ++j) unit_.push_back(t_.standardise ? deviation(j) : Real(1));
  }

  // Weights and constants of the model, class by class, and the scale where it is fitted.
  Reals point_of(const Model& model) const {
    Reals theta;
    for (const TargetFit& target : model.linear()->targets) {
      for (const Coefficient& coefficient : target.coefficients) theta.emplace_back(coefficient.value);
      if (t_.intercept) theta.emplace_back(target.intercept.value);
    }
    if (t_.fitted_scale) theta.emplace_back(model.linear()->targets[0].scale);
    return theta;
  }

  Real value(const Reals& theta) const {
    Real sum = 0;
    for (Index i = 0; i < t_.n; ++i) sum += weight(i) * loss(i, theta);
    sum /= total_;
    for (std::size_t s = 0; s < weights(); ++s) {
      const Real w = theta[place(s)] * unit_[s % static_cast<std::size_t>(t_.p)];
      sum += t_.lambda1 * abs(w) + Real(t_.lambda2) / 2 * w * w;
    }
    return t_.fitted_scale ? sum + theta.back() / 2 : sum;
  }

  // How far F falls from here, at least.
  Real excess(const Reals& theta) const {
    const Real here = value(theta);
    Real best = here;
    const bool kinks = t_.word == "quantile" || t_.word == "epsilon-insensitive" || t_.lambda1 > 0 || flat(theta);
    for (const char* near : {"1e-13", "1e-10", "1e-7", "1e-4"}) {
      best = std::min(best, polished(theta, here, Real(near)));
      if (!kinks) break;
    }
    return here - best;
  }

private:
  // What a step is made of: gradient, Hessian and the equations that it is to keep.
  struct Local {
    Reals gradient;
    std::vector<Reals> hessian, equations;
    Reals due;
  };

  bool flat(const Reals& theta) const { return t_.fitted_scale && theta.back() == 0; } // absolute errors
  std::size_t outputs() const { return t_.classes > 0 ? static_cast<std::size_t>(t_.classes) : 1; }
  std::size_t weights() const { return outputs() * static_cast<std::size_t>(t_.p); }
  std::size_t place(std::size_t s) const { // of weight s among the numbers of a point
    const auto p = static_cast<std::size_t>(t_.p);
    return s / p * static_cast<std::size_t>(width_) + s % p;
  }
  Real weight(Index i) const { return t_.weight.empty() ? 1.0 : t_.weight[i]; }
  Real feature(Index i, Index j) const { return j < t_.p ? t_.x[i * t_.p + j] : 1.0; }

  Real deviation(Index j) const {
    Real mean = 0, square = 0;
    for (Index i = 0; i < t_.n; ++i) mean += weight(i) * feature(i, j) / total_;
    for (Index i = 0; i < t_.n; ++i) square += weight(i) * pow(feature(i, j) - mean, 2) / total_;
    return sqrt(square);
  }

  Real score(Index i, const Reals& theta, std::size_t k = 0) const {
    Real z = t_.offset.empty() ? 0.0 : t_.offset[i];
    for (Index j = 0; j < width_; ++j) z += theta[k * static_cast<std::size_t>(width_) + j] * feature(i, j);
    return z;
  }

  Real loss(Index i, const Reals& theta) const {
    const Real y = t_.y[i], z = score(i, theta), r = y - z;
    if (t_.word == "poisson") return exp(z) - y - (y > 0 ? Real(y * (z - log(y))) : Real(0));
    if (t_.word == "gamma") return y * exp(-z) - 1 - log(y) + z;
    if (t_.word == "logistic") return log1p(exp(y > 0 ? Real(-z) : z));
    if (t_.word == "quantile") return std::max(Real(t_.parameter * r), Real((t_.parameter - 1) * r));
    if (t_.word == "epsilon-insensitive") return std::max(Real(0), Real(abs(r) - t_.parameter));
    if (t_.word == "huber") return huber(r, t_.fitted_scale ? theta.back() : Real(1));
    Real sum = 0;
    for (std::size_t k = 0; k < outputs(); ++k) sum += exp(score(i, theta, k));
    return log(sum) - score(i, theta, static_cast<std::size_t>(t_.y[i]));
  }
  Real huber(const Real& r, const Real& s) const {
    const Real e = t_.parameter;
    return abs(r) < e * s ? Real(r * r / (2 * s)) : Real(e * abs(r) - e * e * s / 2);
  }

  // Of one row: what it adds, its scores (and the scale) taken for the variables.
  void slopes(Index i, const Reals& theta, Reals& g, std::vector<Reals>& h) const {
    const Real y = t_.y[i], z = score(i, theta), r = y - z;
    g.assign(outputs() + (t_.fitted_scale ? 1 : 0), 0);
    h.assign(g.size(), g);
    if (t_.word == "poisson") g[0] = exp(z) - y, h[0][0] = exp(z);
    if (t_.word == "gamma") g[0] = 1 - y * exp(-z), h[0][0] = y * exp(-z);
    if (t_.word == "logistic") {
      const Real q = 1 / (1 + exp(z));
      g[0] = (y > 0 ? Real(0) : Real(1)) - q, h[0][0] = q * (1 - q);
    }
    if (t_.word == "quantile") g[0] = r > 0 ? -t_.parameter : 1 - t_.parameter;
    if (t_.word == "epsilon-insensitive") g[0] = r > t_.parameter ? -1 : r < -t_.parameter ? 1 : 0;
    if (t_.word == "huber") huber_slopes(r, theta, g, h);
    if (t_.word == "softmax") softmax_slopes(i, theta, g, h);
  }
  void huber_slopes(const Real& r, const Reals& theta, Reals& g, std::vector<Reals>& h) const {
    const Real s = t_.fitted_scale ? theta.back() : Real(1), e = t_.parameter;
    if (!(abs(r) < e * s)) {
      g[0] = r > 0 ? -e : e;
      if (t_.fitted_scale) g[1] = -e * e / 2;
      return;
    }
    g[0] = -r / s, h[0][0] = 1 / s;
    if (!t_.fitted_scale) return;
    g[1] = -r * r / (2 * s * s), h[0][1] = h[1][0] = r / (s * s), h[1][1] = r * r / (s * s * s);
  }
  void softmax_slopes(Index i, const Reals& theta, Reals& g, std::vector<Reals>& h) const {
    Real sum = 0;
    for (std::size_t k = 0; k < g.size(); ++k) sum += g[k] = exp(score(i, theta, k));
    for (Real& share : g) share /= sum;
    for (std::size_t k = 0; k < g.size(); ++k)
      for (std::size_t l = 0; l < g.size(); ++l) h[k][l] = (k == l ? g[k] : Real(0)) - g[k] * g[l];
    g[static_cast<std::size_t>(t_.y[i])] -= 1;
  }

  // The kink that this row is at, as far as `near` says; false: none.
  bool at_kink(Index i, const Reals& theta, const Real& near, Real& lacks) const {
    const Real r = t_.y[i] - score(i, theta), size = near * (1 + abs(Real(t_.y[i])));
    std::vector<Real> kinks;
    if (t_.word == "quantile" || (t_.word == "huber" && flat(theta))) kinks = {Real(0)};
    if (t_.word == "epsilon-insensitive") kinks = {Real(t_.parameter), Real(-t_.parameter)};
    for (const Real& kink : kinks)
      if (lacks = r - kink; abs(lacks) <= size) return true;
    return false;
  }

  Local local(const Reals& theta, const Real& near) const {
    const std::size_t size = theta.size();
    Local out{Reals(size), std::vector<Reals>(size, Reals(size)), {}, {}};
    for (Index i = 0; i < t_.n; ++i) add_row(i, theta, near, out);
    for (std::size_t s = 0; s < weights(); ++s) {
      const std::size_t at = place(s);
      const Real unit = unit_[s % static_cast<std::size_t>(t_.p)], w = theta[at];
      out.gradient[at] += t_.lambda2 * unit * unit * w;
      out.hessian[at][at] += t_.lambda2 * unit * unit;
      if (t_.lambda1 == 0 || unit == 0) continue;
      if (abs(w * unit) <= near) {
        out.equations.emplace_back(size), out.equations.back()[at] = 1, out.due.push_back(-w);
      } else {
        out.gradient[at] += (w > 0 ? 1 : -1) * t_.lambda1 * unit;
      }
    }
    if (t_.fitted_scale) out.gradient.back() += Real(1) / 2;
    if (flat(theta)) out.equations.emplace_back(size), out.equations.back().back() = 1, out.due.emplace_back(0);
    return out;
  }

  void add_row(Index i, const Reals& theta, const Real& near, Local& out) const {
    if (Real lacks; at_kink(i, theta, near, lacks)) {
      out.equations.emplace_back(theta.size());
      for (Index j = 0; j < width_; ++j) out.equations.back()[j] = feature(i, j);
      out.due.push_back(lacks);
      return;
    }
    Reals g;
    std::vector<Reals> h;
    if (flat(theta)) {
      g = {Real(t_.y[i] > score(i, theta) ? -t_.parameter : t_.parameter), Real(0)}, h.assign(2, Reals(2));
    } else {
      slopes(i, theta, g, h);
    }
    const Real v = weight(i) / total_;
    const auto width = static_cast<std::size_t>(width_);
    const auto columns = [&](std::size_t k) { return k < outputs() ? width : 1; };
    const auto x = [&](std::size_t k, std::size_t j) { return k < outputs() ? feature(i, j) : Real(1); };
    for (std::size_t k = 0; k < g.size(); ++k)
      for (std::size_t j = 0; j < columns(k); ++j) {
        out.gradient[k * width + j] += v * g[k] * x(k, j);
        for (std::size_t l = 0; l < g.size(); ++l)
          for (std::size_t m = 0; h[k][l] != 0 && m < columns(l); ++m)
            out.hessian[k * width + j][l * width + m] += v * h[k][l] * x(k, j) * x(l, m);
      }
  }

  Reals step(const Local& at) const {
    const std::size_t size = at.gradient.size(), all = size + at.equations.size();
    std::vector<Reals> m(all, Reals(all));
    Reals r(all);
    for (std::size_t a = 0; a < size; ++a) {
      r[a] = -at.gradient[a];
      for (std::size_t b = 0; b < size; ++b) m[a][b] = at.hessian[a][b];
    }
    for (std::size_t e = 0; e < at.equations.size(); ++e) {
      r[size + e] = at.due[e];
      for (std::size_t a = 0; a < size; ++a) m[a][size + e] = m[size + e][a] = at.equations[e][a];
    }
    Reals x = solve(std::move(m), std::move(r));
    x.resize(size);
    return x;
  }

  Real polished(Reals theta, const Real& here, const Real& near) const {
    Real best = here;
    for (int tries = 0; tries < 30; ++tries) {
      const Reals direction = step(local(theta, near));
      Real fall = 0, length = 1;
      for (int halvings = 0; halvings < 12 && !(fall > 0); ++halvings, length /= 2) {
        Reals moved = theta;
        for (std::size_t a = 0; a < moved.size(); ++a) moved[a] += length * direction[a];
        if (t_.fitted_scale && !flat(theta) && !(moved.back() > 0)) continue;
        const Real value_there = value(moved);
        if (!(value_there < best)) continue;
        fall = best - value_there, best = value_there, theta = moved;
      }
      if (!(fall > here * Real("1e-70"))) break;
    }
    return best;
  }

  const Problem& t_;
  Index width_;
  Real total_ = 0;
  Reals unit_;
};

} // namespace recta::testing
