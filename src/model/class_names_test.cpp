#include <recta/class_names.hpp>
#include <recta/estimator.hpp>

#include <gmock/gmock.h>

namespace recta {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Three classes that arrays hold as 0, 1 and 2.
class ClassNames : public testing::TestWithParam<const char*> {
protected:
  Arrays arrays(const std::vector<std::string>& labels = {}) const {
    Arrays out{.dense = MatrixView::vector(x_.data(), 9), .y = MatrixView::vector(y_.data(), 9)};
    out.classes.labels = labels;
    return out;
  }
  Model named() const {
    return with_class_labels(*fit(GetParam(), arrays(), {}), {"ant", "bee", "cow"}, ColumnType::category);
  }
  std::vector<std::string> targets(const Model& model) const {
    std::vector<std::string> out;
    for (const TargetFit& target : model.linear()->targets) out.push_back(target.target);
    return out;
  }

private:
  std::vector<double> x_{0, 1, 2, 1.5, 2.5, 4, 3.5, 5, 6}, y_{0, 0, 0, 1, 1, 1, 2, 2, 2};
};

TEST_P(ClassNames, scores_follow_their_classes) {
  const Model model = named();
  EXPECT_THAT(model.schema.classes.labels, ElementsAre("ant", "bee", "cow"));
  EXPECT_THAT(targets(model), ElementsAre("ant", "bee", "cow"));
  for (const std::string& condition : model.certificate.conditions) EXPECT_THAT(condition, Not(HasSubstr("\"0\"")));
  EXPECT_EQ(verify(model, arrays({"ant", "bee", "cow"}))->verdict, Verdict::proved);
}

TEST_P(ClassNames, a_score_that_is_called_otherwise_keeps_its_name_and_is_refuted) {
  const Model forged = with_class_labels(named(), {"ant", "0", "cow"}, ColumnType::category);
  Model stale = forged;
  stale.schema.classes.labels[1] = "bee";
  const auto certificate = verify(stale, arrays({"ant", "bee", "cow"}));
  EXPECT_EQ(certificate->verdict, Verdict::refuted);
  EXPECT_THAT(certificate->conditions.at(0), HasSubstr("a target is called \"0\" in the file, \"bee\" by the rows"));
  EXPECT_THAT(targets(with_class_labels(stale, {"a", "b", "c"}, ColumnType::category)), ElementsAre("a", "0", "c"));
}

INSTANTIATE_TEST_SUITE_P(Words, ClassNames, testing::Values("softmax", "ridge-classifier", "perceptron", "majority"));

} // namespace
} // namespace recta
