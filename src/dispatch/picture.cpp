// Pictures of models: those that any model has, and those of its family.
#include "data/checked_table.hpp"
#include "family/family.hpp"
#include "model/shared_body.hpp"
#include "plot/model_picture.hpp"

#include <algorithm>

namespace recta::plot {
namespace {

bool has(const std::vector<PictureInfo>& kinds, const std::string& word) {
  return std::ranges::any_of(kinds, [&](const PictureInfo& kind) { return kind.word == word; });
}

} // namespace

const std::vector<PictureInfo>& picture_kinds() {
  static const std::vector<PictureInfo> all = [] {
    std::vector<PictureInfo> list = pictures_of_any_model();
    for (const ModelInfo& info : models())
      for (PictureInfo& kind : family_of(info.word).pictures())
        if (!has(list, kind.word)) list.push_back(std::move(kind));
    return list;
  }();
  return all;
}

Result<Picture> picture(const Model& model, const Dataset& data, const std::string& kind) {
  return guarded(data, cure::kFewerRows, [&]() -> Result<Picture> {
    if (auto good = check_fitted(model); !good) return std::unexpected(good.error());
    const Family& family = family_of(model.word);
    const std::vector<PictureInfo> pictures = family.pictures();
    if (kind.empty() && !model.has_target() && !pictures.empty()) return family.picture(pictures[0].word, model, data);
    if (has(pictures, kind)) return family.picture(kind, model, data);
    if (!kind.empty() && !has(pictures_of_any_model(), kind))
      return family.Family::picture(kind, model, data); // refused
    return model_picture(model, data, kind);
  });
}

} // namespace recta::plot
