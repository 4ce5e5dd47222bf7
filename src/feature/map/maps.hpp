// The feature maps of a schema, ready to work: from the texts and what training rows taught to numbers, a block of rows
// at a time.
#pragma once

#include "feature/map/expression.hpp"

#include <recta/model.hpp>

#include <memory>

namespace recta::feature {

// One map: some columns to some features.
class Map {
public:
  virtual ~Map() = default;
  virtual Index count() const = 0;
  virtual std::string name(Index k) const = 0;
  // Features that make sense only together, in groups: all of them, unless the map knows better.
  virtual std::vector<std::vector<Index>> kin() const;
  virtual bool has_low() const = 0;
  // rows.inputs: one per column of this map. By column, rows.count numbers per feature; `low` is null only without low
  // parts.
  virtual MapOutcome evaluate(const MapRows& rows, double* high, double* low) const = 0;
};

// The content of a map's text before any row was seen.
struct MapText {
  std::string canonical;
  std::vector<std::string> columns; // it reads, each once
  Index count = 0;                  // features
  Index learned = 0;                // numbers to learn between the least and the largest value of its column: 0 or 2 up
  Index given = 0;                  // numbers that a fit makes for it: of components
};
Result<MapText> read_map(const std::string& text);

// The number of values asked for, spaced evenly from `least` to `largest`.
std::vector<double> evenly(double least, double largest, Index count);

class Maps {
public:
  Maps() = default;
  static Result<Maps> make(const Schema& schema);

  bool empty() const { return parts_.empty(); }
  Index count() const { return count_; }
  bool has_low() const { return has_low_; }
  bool reads(std::size_t column) const { return column < reads_.size() && reads_[column]; } // of the schema
  std::string name(Index k) const;
  std::vector<std::vector<Index>> kin() const; // of every map
  // rows.inputs: one per column of the schema, null if no map reads it. `low` as in Map, for all maps together.
  MapOutcome evaluate(const MapRows& rows, double* high, double* low) const;

private:
  struct Part {
    std::shared_ptr<const Map> map;
    std::vector<std::size_t> columns;
    Index first = 0; // feature
  };
  std::vector<Part> parts_;
  std::vector<bool> reads_;
  Index count_ = 0;
  bool has_low_ = false;
};

} // namespace recta::feature
