// A file that keeps what a search has done, a line per fit, so that one that was interrupted can go on.
//
// The first line names the search: digests of the data, of the splits and of the settings. Every other line is one fit:
// {"point": "lambda=0.1", "split": 3, "scores": [...], "training": [...], "seconds": 0.2}, or "failure" in the place of
// scores. Lines are appended as fits end; a last line that was cut off is not counted.
#pragma once

#include <recta/cross_validate.hpp>

#include <cstdio>
#include <map>
#include <memory>

namespace recta::search {

// One fit and its scores on the rows left out, and on those trained on if that was asked for.
struct Measured {
  std::vector<double> scores{}, training{};
  std::string failure{};
  double seconds = 0;
};

// What a search depends on besides its points.
struct SearchName {
  std::string data, splits, settings; // digests
};
SearchName search_name(const std::string& word, const Dataset& data, const FitOptions& options,
                       const CrossValidationOptions& how, const Splits& splits, const std::vector<std::string>& scores);

class Record {
public:
  // Nothing is kept if the path is empty. An error if the file is that of another search.
  static Result<Record> open(const std::string& path, const SearchName& name);

  const Measured* find(const std::string& point, Index split) const; // nullptr: not done yet
  Result<void> add(const std::string& point, Index split, const Measured& measured);

private:
  Result<bool> read(const SearchName& name);
  Result<void> take(const std::string& line);
  Result<void> append(const std::string& line);

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::map<std::pair<std::string, Index>, Measured> done_;
};

} // namespace recta::search
