#include "family/family.hpp"

#include "family/all_families.hpp"
#include "plot/model_picture.hpp"
#include "summary/descent.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace recta {
namespace {

Error learns_from_no_mistakes(const Request& request) {
  return {ErrorCode::usage, "training curve", request.info->word + " does not learn from mistakes",
          "ask for perceptron or delta"};
}

using Families = std::vector<std::unique_ptr<Family>>;

const Families& families() {
  static const Families all = [] {
    std::map<std::pair<int, std::string>, std::unique_ptr<Family>>
        placed; // every start makes this, and words take long
    for (const auto make : family::kAll) {
      auto family = make();
      const std::pair place(family->place(), family->words().front().word);
      placed.emplace(place, std::move(family));
    }
    Families list;
    for (auto& [place, family] : placed) list.push_back(std::move(family));
    return list;
  }();
  return all;
}

} // namespace

Result<void> Family::check(const Request&) const {
  return {};
}

Result<std::shared_ptr<const Body>> Family::read(FieldReader& in, FitSummary, const Schema&) const {
  in.refuse("models of its word are linear, and this one is not");
  return in.error();
}

Result<Path> Family::path(const Request& request, const Schema&, const Rows&, const PathOptions&, const Clock&) const {
  return fail(ErrorCode::usage, request.info->word, "it has no path",
              "lasso, elastic-net, ridge, logistic and softmax have one");
}

Result<plot::Picture> Family::picture(const std::string& kind, const Model& model, const Dataset&) const {
  std::vector<std::string> words;
  for (const plot::PictureInfo& info : plot::pictures_of_any_model()) words.push_back(info.word);
  for (const plot::PictureInfo& info : pictures()) words.push_back(info.word);
  return fail(ErrorCode::usage, kind, model.word + " has no such picture",
              fmt::format("draw {}", fmt::join(words, ", ")));
}

Result<Trace> Family::trace(const Request& request, const Schema&, const Rows&, Index, const Clock&) const {
  return not_a_descent(request.info->word);
}

Result<TrainingCurve> Family::curve(const Request& request, const Schema&, const Rows&, Index, const Clock&) const {
  return std::unexpected(learns_from_no_mistakes(request));
}

Result<std::vector<TrainingCurve>> Family::curves(const Request& request, const Schema&, const Rows&, Index,
                                                  const Clock&) const {
  return std::unexpected(learns_from_no_mistakes(request));
}

const std::vector<ModelInfo>& models() {
  static const std::vector<ModelInfo> all = [] {
    std::vector<ModelInfo> list;
    for (const auto& family : families())
      for (ModelInfo& info : family->words()) list.push_back(std::move(info));
    return list;
  }();
  return all;
}

const ModelInfo* model_info(std::string_view word) {
  const auto info = std::ranges::find(models(), word, &ModelInfo::word);
  return info == models().end() ? nullptr : &*info;
}

const Family& family_of(const std::string& word) {
  static const std::map<std::string, const Family*, std::less<>> by_word = [] {
    std::map<std::string, const Family*, std::less<>> map;
    for (const auto& family : families())
      for (const ModelInfo& info : family->words()) map.emplace(info.word, family.get());
    return map;
  }();
  return *by_word.at(word);
}

} // namespace recta
