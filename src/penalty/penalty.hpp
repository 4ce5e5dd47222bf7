// The definition of a penalty on the weights. A leaf is a folder src/penalty/NAME with NAME.hpp, which defines `class
// Leaf`, a Penalty made from what was given, and its static `info()`, in namespace recta::penalty::NAME; the build
// finds the folder, and `recta fit penalised --penalty` takes it: nothing else is edited. laws_test.cpp holds every
// leaf to the laws below.
//
// A penalty is convex. With its proximal step a solver finds the weights; with its conjugate they are proved: for all u
// and w, value(w) + conjugate(u) >= <u, w>.
#pragma once

#include <recta/params.hpp>

#include <map>
#include <memory>
#include <span>

namespace recta::penalty {

struct PenaltyParam {
  std::string name, summary;
  double usual = 0; // if it is omitted
  double lowest = 0, highest = 0;
  bool by_feature = false; // a number for each feature, written as family/listed_values.hpp reads them
};

struct PenaltyInfo {
  std::string word, summary; // "l1", and one line
  std::string formula;       // with the strength lambda, as objectives print it: "lambda sum_j |w_j|"
  std::vector<PenaltyParam> params = {};
  bool strength = true; // it has a lambda
};

struct Given {
  double lambda = 1;
  Index features = 0;
  std::map<std::string, std::vector<double>> numbers = {}; // by the name of the parameter: one, or one a feature
  double number(const std::string& name) const { return numbers.at(name).at(0); }
};

class Penalty {
public:
  virtual ~Penalty() = default;

  virtual double value(std::span<const double> w) const = 0; // infinite where w is not allowed
  // Replaces w by the v that makes |v - w|^2 / 2 + step value(v) least.
  virtual void shrink(std::span<double> w, double step) const = 0;

  // The largest <v, w> - value(w) over all w and all v within `off` of u; infinite if it has no bound.
  virtual double conjugate(std::span<const double> u, std::span<const double> off) const = 0;
  // The largest s in [0, 1] for which the conjugate of s u, with s off, is finite.
  virtual double reach(std::span<const double> u, std::span<const double> off) const = 0;
};

template <class... Ls>
struct List {};

const std::vector<PenaltyInfo>& penalties(); // in the order of their words
const PenaltyInfo& penalty_info(const std::string& word);
// `word`: one of penalties(); what it is given has been checked against its parameters.
Result<std::unique_ptr<const Penalty>> make_penalty(const std::string& word, const Given& given);

} // namespace recta::penalty
