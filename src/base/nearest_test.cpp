#include <recta/params.hpp>

#include <gtest/gtest.h>

namespace recta {
namespace {

const std::vector<std::string> kWords = {"linear", "ridge", "lasso", "logistic", "price", "TAX", "x1", "x2"};

TEST(Nearest, finds_a_word_through_one_slip) {
  EXPECT_EQ(nearest("rigde", kWords), "ridge"); // swapped
  EXPECT_EQ(nearest("liner", kWords), "linear");
  EXPECT_EQ(nearest("laso", kWords), "lasso");
  EXPECT_EQ(nearest("pryce", kWords), "price");
  EXPECT_EQ(nearest("logistics", kWords), "logistic");
}

TEST(Nearest, a_word_that_differs_in_case_wins) {
  EXPECT_EQ(nearest("tax", kWords), "TAX");
  EXPECT_EQ(nearest("Price", {"prices", "price"}), "price");
  EXPECT_EQ(nearest("A", {"b", "a"}), "a");
}

TEST(Nearest, knows_what_other_programs_call_it) {
  EXPECT_EQ(nearest("gaussian", {"linear", "rbf"}), "rbf");
  EXPECT_EQ(nearest("Poly", {"rbf", "polynomial"}), "polynomial");
  EXPECT_EQ(nearest("nb", {"knn", "naive-bayes"}), "naive-bayes");
  EXPECT_EQ(nearest("roc_auc", {"accuracy", "roc_area"}), "roc_area");
  EXPECT_EQ(nearest("nb", {"na", "other"}), "na"); // by its letters where that is no word here
}

TEST(Nearest, says_nothing_when_nothing_is_near) {
  EXPECT_EQ(nearest("perceptron", kWords), "");
  EXPECT_EQ(nearest("", kWords), "");
  EXPECT_EQ(nearest("q", {"b"}), "");
  EXPECT_EQ(nearest("ridge", {}), "");
  EXPECT_EQ(nearest(std::string(100000, 'x'), {std::string(100000, 'x')}), "");
}

TEST(Nearest, the_first_of_equals_is_taken) {
  EXPECT_EQ(nearest("x3", kWords), "x1");
}

} // namespace
} // namespace recta
