// A cross-validation as a document.
#pragma once

#include "terminal.hpp"

#include <recta/cross_validate.hpp>
#include <recta/reports.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace recta::cli {

report::Document cv_document(const CrossValidation& search, const std::string& source);

// The exit status of a search: 1, and a note, if there are points without a model.
template <class Point>
int status_of(const std::vector<Point>& points, const Voice& voice) {
  const auto failed = std::ranges::count_if(points, [](const Point& point) { return !point.failure.empty(); });
  if (failed == 0) return 0;
  voice.note(fmt::format("{} of {} points could not be fitted; the report says why", failed, points.size()));
  return 1;
}

} // namespace recta::cli
