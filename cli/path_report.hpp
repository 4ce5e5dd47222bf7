// A path as a document and as a picture.
#pragma once

#include <recta/path.hpp>
#include <recta/plot.hpp>
#include <recta/reports.hpp>

namespace recta::cli {

struct Chosen {
  std::string criterion;
  Index point;
};

// Every criterion that exists on this path.
std::vector<Chosen> choices(const Path& path);

report::Document path_document(const Path& path, const std::vector<Chosen>& chosen, const std::string& source,
                               const std::optional<Model>& model);

struct PathLook {
  std::string kind = "weights"; // or errors
  std::optional<Chosen> chosen{};
  std::vector<double> deviations{}; // deviations of the features, if weights are shown for standardised columns
};
Result<plot::Picture> path_picture(const Path& path, const PathLook& look);

} // namespace recta::cli
