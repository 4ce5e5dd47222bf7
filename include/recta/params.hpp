// A parameter describes itself once; command-line help, Python docstrings and checks are made from the description.
#pragma once

#include <recta/error.hpp>

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace recta {

using ParamValue = std::variant<bool, double, std::string>;
using Params = std::map<std::string, ParamValue>;

// A parameter plays a part only beside one of these values of another; "": that is not given; none: any that is given.
struct OnlyWith {
  std::string param{};
  std::vector<std::string> values{};
};

struct ParamInfo {
  std::string name;   // "lambda"; the flag is --lambda
  ParamValue initial; // default
  std::string summary;
  double lowest = 0, highest = 0;   // numbers: allowed range, both ends included
  std::vector<std::string> choices; // words: what is allowed
  int simpler = 0;                  // numbers: 1 if larger ones make a simpler model, -1 if smaller ones do; 0: neither
  OnlyWith only_with{};
};

// The models that can be fitted: one entry per word.
struct ModelInfo {
  std::string word, summary; // "ridge", and one line
  std::string objective;     // in mathematics, as printed with every result
  std::vector<ParamInfo> params;
  bool classes = false;        // the target holds labels
  bool without_target = false; // it learns from the features alone; a column named as target is set aside
  bool probabilities = false;  // of the classes
  bool mistakes = false;       // it learns from them row by row, and has a training curve
  bool log_link = false;       // predictions are exp(<w, x> + b + offset)
  bool own_loss = false;       // the loss of the same word is what it minimises, and eval gives it
  bool normal_errors = false;  // least squares without a penalty: standard errors of all kinds, intervals, tests
  bool squared_error = false;  // its cost is that, beside penalties on single weights: contours over two are ellipses
  bool leverages = false;      // and squares at most as a penalty: what a row left out changes has a closed form
  double (*margin_cost)(double margin) = nullptr; // two classes: of a row at its margin y z, for contours
  bool skips_missing = false; // a missing value leaves its factor out: Missing::skip, the default of the command line
  bool rereads = false;       // it reads the rows several times, so that those of standard input are held in memory
  std::uint64_t bytes_a_row = 0; // memory that its fit keeps per row between passes, streamed or not
};
const std::vector<ModelInfo>& models();
const ModelInfo* model_info(std::string_view word); // nullptr: there is no such model

// A loss as every front end sees it.
struct LossInfo {
  std::string word, summary, formula;
  double (*value)(double y, double z);
};
const std::vector<LossInfo>& losses();

// The known word nearest to `word`, or empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

} // namespace recta
