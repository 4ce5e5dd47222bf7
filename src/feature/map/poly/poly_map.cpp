#include "feature/map/leaf.hpp"
#include "feature/map/poly/poly.hpp"

namespace recta::feature::poly {
namespace {

class PolyMap final : public Map {
public:
  explicit PolyMap(Poly poly) : poly_(std::move(poly)) {}
  Index count() const override { return poly_.count(); }
  std::string name(Index k) const override { return poly_.name(k); }
  std::vector<std::vector<Index>> kin() const override { return poly_.kin(); }
  bool has_low() const override { return poly_.has_low(); }
  MapOutcome evaluate(const MapRows& rows, double* high, double* low) const override {
    return poly_.evaluate(rows, high, low);
  }

private:
  Poly poly_;
};

PolyTerms terms_of(const Call& call) {
  const std::string word = call.option("terms", "all");
  return word == "all" ? PolyTerms::all : word == "powers" ? PolyTerms::powers : PolyTerms::interactions;
}

class PolyLeaf final : public Leaf {
public:
  PolyLeaf()
      : Leaf({"poly",
              1,
              kAnyColumns,
              {{"the degree", 1, 100, true}},
              1,
              0,
              {{"terms", {"all", "powers", "interactions"}, {}}},
              "poly(x, y, 3) or poly(x, y, 3, terms=powers)"}) {}

  Index count(const Call& call) const override {
    return Poly::count(std::ssize(call.columns), static_cast<Index>(call.numbers.at(0)), terms_of(call));
  }
  Result<std::shared_ptr<const Map>> make(const Call& call, const std::vector<double>&) const override {
    return std::make_shared<PolyMap>(Poly(call.columns, static_cast<Index>(call.numbers[0]), terms_of(call)));
  }
};

} // namespace

std::unique_ptr<const Leaf> make_leaf() {
  return std::make_unique<PolyLeaf>();
}

} // namespace recta::feature::poly
