// One pass over the rows that gathers the products of columns about the means of the classes.
//
// The products go into Gram matrices (stats/gram), which centre every block and cost no digits however far the rows are
// from zero. With one for every class nothing needs to be known before, and the means come with it. If the means are
// known from a pass before, every row is written less the mean of its class: one matrix is then enough for all classes,
// whose weights may be multiplied by factors, and fourth powers can be summed.
#pragma once

#include "stats/gram/gram.hpp"

#include <recta/model.hpp>

#include <span>

namespace recta::discriminant {

struct Centres {
  const Classes& classes;
  Index columns;
  const std::vector<double>& mean; // classes x columns; empty: not known yet, and by_class
  std::vector<double> scale{};     // the same, 1 / sd; empty: no fourth powers are wanted
  std::vector<double> factor{};    // of the weights of each class; empty: one
  bool by_class = false;
};

class ClassScatter : public Saved<ClassScatter> {
public:
  ClassScatter() = default;
  explicit ClassScatter(const Centres& centres); // they outlive it

  struct Workspace {
    std::vector<Index> place;      // class of each row; -1: absent
    std::vector<Index> rows, end;  // rows group after group, and where each group ends
    std::vector<double> x, weight; // of one group, centred
    Gram::Workspace gram;
  };

  void accumulate(const Batch& batch) {
    Workspace room;
    accumulate(batch, room);
  }
  void accumulate(const Batch& batch, Workspace& room) { add(batch, room, nullptr); }
  void accumulate(const Batch& batch, Pool& pool) {
    Workspace room;
    add(batch, room, &pool);
  }
  void merge(const ClassScatter& other) { join(other, nullptr); }
  void merge(const ClassScatter& other, Pool& pool) { join(other, &pool); }
  Index leaf_blocks() const { return grams_.front().leaf_blocks(); }
  bool finite() const; // true after a pass that has looked at every number
  static constexpr std::string_view kTag = "dsct", kName = "products of the columns of classes";
  static void fields(auto& s, auto& io) {
    io.numbers(io.size(s.rows_), s.rows_, s.quartic_);
    io.states(io.size(s.grams_), s.grams_);
  }

  // The covariance of each group: sum of products over the sum of weights, both triangles.
  std::vector<double> covariance() const;
  std::vector<double> weight() const;                             // of each class, if by_class
  std::vector<double> mean() const;                               // the same, classes x columns
  const std::vector<double>& rows() const { return rows_; }       // of each class
  const std::vector<double>& quartic() const { return quartic_; } // sum v |z|^4 of each class

private:
  void add(const Batch& batch, Workspace& room, Pool* pool);
  void add_group(const Batch& batch, Workspace& room, std::size_t group, std::span<const Index> rows, Pool* pool);
  void join(const ClassScatter& other, Pool* pool);

  const Centres* centres_ = nullptr;
  std::vector<Gram> grams_;
  std::vector<double> rows_, quartic_;
};

} // namespace recta::discriminant
