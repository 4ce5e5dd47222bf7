// Rows that are not here: they stand in parts on machines that an engine lends. All that can be had of them is a
// statistic, which the machines gather in a round, each over its own part. RowSource::rounds() has them.
#pragma once

#include <recta/error.hpp>

#include <span>
#include <string>
#include <string_view>

namespace recta {

class Rounds {
public:
  virtual ~Rounds() = default;

  // One accumulator, its type hidden (stats/gathered.hpp).
  class Statistic {
  public:
    virtual ~Statistic() = default;
    virtual Index leaf_blocks() const = 0;        // neighbouring blocks that have to be gathered in one place
    virtual Result<std::string> here() const = 0; // of the rows that the source can read at this moment
    // Statistics of several runs of blocks as one; and as the total of all `blocks`, none of which may be missing.
    virtual Result<std::string> join(std::span<const std::string> parts) const = 0;
    virtual Result<std::string> total(std::span<const std::string> parts, Index blocks) const = 0;
  };

  // The total over all rows, the same on every machine that asks. `stage`: for progress.
  virtual Result<std::string> gather(const Statistic& statistic, std::string_view stage) = 0;
};

} // namespace recta
