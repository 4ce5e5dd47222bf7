// Columns of tables in parts: values that are filled in, and documents.
#include "dispatch/test_parts.hpp"
#include "rounds/waiting_fit.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace recta {
namespace {

// Every seventh number of x0, most of x1 and every fifth category are missing.
Dataset table_with_gaps(Index n) {
  Dataset data = table(n, 3);
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    if (i % 7 == 2) data.columns[0].values[i] = std::numeric_limits<double>::quiet_NaN();
    if (i % 3 != 1) data.columns[1].values[i] = std::numeric_limits<double>::quiet_NaN();
    if (i % 5 == 4) data.columns[3].codes[i] = -1;
  }
  return data;
}

TEST(ColumnsOfParts, MissingValuesAreFilledInAsOnOneMachine) {
  const Dataset data = table_with_gaps(20000);
  for (const Case& one : {Case{"ridge", "y", {{"lambda", 0.1}}}, Case{"logistic", "two", {{"lambda", 0.01}}},
                          Case{"naive-bayes", "label"}, Case{"svm", "two", {{"loss", "squared-hinge"}}}})
    for (const Missing missing : {Missing::mean, Missing::indicator}) {
      RoundsJob job = job_of(one);
      job.options.missing = missing;
      const auto here = fit(job.word, data, job.options);
      ASSERT_TRUE(here) << here.error().text();
      std::string bytes;
      for (const Index parts : {1, 2, 7, 64}) {
        Parts engine(data, job, cut(data.rows, parts), parts == 64);
        const auto there = fit_in_rounds(job, data, engine);
        ASSERT_TRUE(there) << there.error().text();
        EXPECT_EQ(there->certificate.verdict, Verdict::proved) << one.word;
        if (bytes.empty()) bytes = there->to_bytes();
        EXPECT_EQ(there->to_bytes(), bytes) << one.word << ", " << parts << " parts";
        for (std::size_t c = 0; c < here->schema.columns.size(); ++c) {
          EXPECT_EQ(there->schema.columns[c].fill, here->schema.columns[c].fill); // to the bit
          EXPECT_EQ(there->schema.columns[c].indicator, here->schema.columns[c].indicator);
          EXPECT_EQ(there->schema.columns[c].levels, here->schema.columns[c].levels);
        }
        EXPECT_EQ(there->fingerprint, here->fingerprint);
        const auto proof = verify(*there, data);
        ASSERT_TRUE(proof) << proof.error().text();
        EXPECT_EQ(proof->verdict, Verdict::proved);
      }
    }
}

// Rows of a few numbers in p sparse columns, with a number, a class and a label beside them.
Dataset sparse_table(Index n, Index p) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  Dataset data;
  data.source = "sparse";
  data.rows = n;
  data.sparse.cols = p;
  data.sparse.start = {0};
  Column age{"age", ColumnType::real, {}, {}, {}}, y{"y", ColumnType::real, {}, {}, {}};
  Column two{"two", ColumnType::category, {}, {}, {"no", "yes"}};
  for (Index i = 0; i < n; ++i) {
    std::vector<Index> places;
    for (int k = 0; k < 5; ++k) places.push_back(static_cast<Index>(random() % static_cast<unsigned>(p)));
    std::ranges::sort(places);
    places.erase(std::ranges::unique(places).begin(), places.end());
    double sum = 0;
    for (const Index j : places) {
      data.sparse.index.push_back(j);
      data.sparse.value.push_back(static_cast<double>(1 + random() % 3));
      sum += (j % 2 ? 1 : -1) * data.sparse.value.back();
    }
    data.sparse.start.push_back(std::ssize(data.sparse.index));
    age.values.push_back(static_cast<double>(random() % 60));
    y.values.push_back(sum + age.values.back() / 30 + normal(random));
    two.codes.push_back(sum + normal(random) > 0 ? 1 : 0);
  }
  for (Column* one : {&age, &y, &two}) data.columns.push_back(std::move(*one));
  return data;
}

TEST(ColumnsOfParts, SparseRowsAreFittedAsOnOneMachine) {
  for (const auto& [p, one] : {std::pair{Index{300}, Case{"ridge", "y", {{"lambda", 0.1}}}},
                               std::pair{Index{300}, Case{"svm", "two", {{"loss", "squared-hinge"}}}},
                               std::pair{Index{5000}, Case{"logistic", "two", {{"lambda", 0.1}}}},
                               std::pair{Index{5000}, Case{"naive-bayes", "two", {{"likelihood", "multinomial"}}}},
                               std::pair{Index{2000}, Case{"softmax", "two", {{"lambda", 1.0}}}}}) {
    const Dataset data = sparse_table(3000, p);
    RoundsJob job{one.word, {}, nullptr};
    job.options.target = {one.target}, job.options.params = one.params;
    job.options.ignore = {one.target == "y" ? "two" : "y"};
    const auto here = fit(job.word, data, job.options);
    ASSERT_TRUE(here) << here.error().text();
    std::string bytes;
    for (const Index parts : {1, 5}) {
      Parts engine(data, job, cut(data.rows, parts), parts == 5);
      const auto there = fit_in_rounds(job, rows_from(data, 0, 0), engine);
      ASSERT_TRUE(there) << one.word << ": " << there.error().text();
      EXPECT_EQ(there->certificate.verdict, Verdict::proved) << one.word;
      EXPECT_EQ(there->schema.sparse_cols, p);
      EXPECT_EQ(there->fingerprint, here->fingerprint);
      if (bytes.empty()) bytes = there->to_bytes();
      EXPECT_EQ(there->to_bytes(), bytes) << one.word << ", " << parts << " parts";
      EXPECT_NEAR(there->certificate.objective, here->certificate.objective,
                  1e-6 * std::abs(here->certificate.objective) + 1e-12);
      const RoundsJob again{{}, {}, &*there};
      Parts verifier(data, again, cut(data.rows, parts, 5));
      const auto proof = verify_in_rounds(again, rows_from(data, 0, 0), verifier);
      ASSERT_TRUE(proof) << proof.error().text();
      EXPECT_EQ(proof->verdict, Verdict::proved);
    }
  }
}

// Encoding a table names its rows by the name of the part, a statistic by the name of the whole.
TEST(ColumnsOfParts, ABadNumberOfASparseRowIsNamedByItsPartWhateverTheTableIsCalled) {
  const Dataset good = sparse_table(3000, 5000);
  RoundsJob job{"logistic", {}, nullptr};
  job.options.target = {"two"}, job.options.params = {{"lambda", 0.1}}, job.options.ignore = {"y"};
  RoundsOptions how;
  how.source = "the whole";
  for (const auto& [row, where] : {std::pair{Index{1499}, "part 1, sparse, row 1500, column "},
                                   {Index{1500}, "part 2, sparse, row 1, column "},
                                   {Index{2999}, "part 2, sparse, row 1500, column "}}) {
    Dataset data = good;
    data.sparse.value[static_cast<std::size_t>(data.sparse.start[static_cast<std::size_t>(row)])] = std::nan("");
    Parts engine(data, job, {0, 1500, 3000});
    const auto found = fit_in_rounds(job, rows_from(data, 0, 0), engine, how);
    ASSERT_FALSE(found);
    EXPECT_TRUE(found.error().where.starts_with(where)) << found.error().text();
  }
}

// More columns than products of pairs are summed of, at 1, 2, 7 and 64 parts.
TEST(ColumnsOfParts, MachinesOfManyColumnsAreThoseOfOneMachine) {
  const Dataset data = sparse_table(3000, 2000);
  for (const std::string loss : {"hinge", "squared-hinge"}) {
    RoundsJob job{"svm", {}, nullptr};
    job.options.target = {"two"}, job.options.ignore = {"y", "age"}, job.options.params = {{"loss", loss}, {"C", 0.2}};
    const auto here = fit(job.word, data, job.options);
    ASSERT_TRUE(here) << here.error().text();
    std::string bytes;
    for (const Index parts : {1, 2, 7, 64}) {
      Parts engine(data, job, cut(data.rows, parts), parts == 64);
      const auto there = fit_in_rounds(job, rows_from(data, 0, 0), engine);
      ASSERT_TRUE(there) << there.error().text();
      EXPECT_EQ(there->body->summary().solver, "newton-cg");
      EXPECT_EQ(there->certificate.verdict, Verdict::proved) << there->certificate.sentence();
      EXPECT_LE(engine.rounds, 150); // as docs/cluster.md says
      if (bytes.empty()) bytes = there->to_bytes();
      EXPECT_EQ(there->to_bytes(), bytes) << loss << ", " << parts << " parts";
      EXPECT_NEAR(there->certificate.objective, here->certificate.objective, 1e-9 * here->certificate.objective);
      if (parts == 2) continue;
      const RoundsJob again{{}, {}, &*there};
      Parts verifier(data, again, cut(data.rows, parts, 5));
      const auto proof = verify_in_rounds(again, rows_from(data, 0, 0), verifier);
      ASSERT_TRUE(proof) << proof.error().text();
      EXPECT_EQ(proof->verdict, Verdict::proved);
    }
    const auto proof = verify(*Model::from_bytes(bytes, "m.recta"), data);
    ASSERT_TRUE(proof) << proof.error().text();
    EXPECT_EQ(proof->verdict, Verdict::proved);
  }
}

// Long answers are told once to machines that stay; those that forget are told all of them.
TEST(ColumnsOfParts, MachinesThatForgetAreToldAgain) {
  const Dataset data = sparse_table(2000, 20000);
  RoundsJob job{"logistic", {}, nullptr};
  job.options.target = {"two"}, job.options.ignore = {"y"}, job.options.params["lambda"] = 0.01;
  class Told : public Parts {
  public:
    using Parts::Parts;
    Result<std::vector<std::string>> ask(const std::string& question) override {
      bytes.push_back(std::ssize(question));
      return Parts::ask(question);
    }
    std::vector<Index> bytes;
  } staying(data, job, cut(data.rows, 3), true);
  class Forgetful : public Told {
  public:
    using Told::Told;
    Result<std::vector<std::string>> ask(const std::string& question) override {
      const rounds::HeardQuestion of_another{.job = "another", .first_row = {}, .answers = {"survey"}};
      for (int k = 0; k < 4; ++k) { // fits of another job take the place of this one
        auto fit =
            std::make_unique<rounds::WaitingFit>([](rounds::WaitingFit& waiting, const rounds::RoundRequest&) -> Error {
              waiting.next(std::string("found"), 1, false);
              return {};
            });
        EXPECT_TRUE(fit->answer({&of_another}));
        rounds::keep_waiting_fit(std::move(fit));
      }
      return Told::ask(question);
    }
  } forgetful(data, job, cut(data.rows, 3), true);
  const auto once = fit_in_rounds(job, rows_from(data, 0, 0), staying);
  const auto again = fit_in_rounds(job, rows_from(data, 0, 0), forgetful);
  ASSERT_TRUE(once && again);
  EXPECT_EQ(once->to_bytes(), again->to_bytes());
  EXPECT_EQ(once->certificate.verdict, Verdict::proved);
  EXPECT_EQ(forgetful.rounds, staying.rounds + 2); // two questions in vain; from then on all is told
  EXPECT_LT(staying.bytes.back(), 1 << 20);        // the last answer and the survey's columns
  EXPECT_GT(forgetful.bytes.back(), 3 << 20);
}

// More sparse columns than p x p sums are taken of: conjugate gradients by rounds, beside LSMR here.
TEST(ColumnsOfParts, RidgeOfManyColumnsIsThatOfOneMachine) {
  const Dataset data = sparse_table(1500, 2500);
  for (const bool intercept : {true, false})
    for (const bool standardise : {true, false}) {
      RoundsJob job{"ridge", {}, nullptr};
      job.options.target = {"y", "age"}, job.options.ignore = {"two"}, job.options.params = {{"lambda", 0.05}};
      job.options.intercept = intercept, job.options.standardise = standardise;
      const auto here = fit(job.word, data, job.options);
      ASSERT_TRUE(here) << here.error().text();
      ASSERT_EQ(here->linear()->solver, "lsmr");
      std::string bytes;
      for (const Index parts : {1, 4}) {
        Parts engine(data, job, cut(data.rows, parts));
        const auto there = fit_in_rounds(job, rows_from(data, 0, 0), engine);
        ASSERT_TRUE(there) << there.error().text();
        EXPECT_EQ(there->linear()->solver, "conjugate-gradients");
        EXPECT_EQ(there->certificate.verdict, Verdict::proved);
        if (bytes.empty()) bytes = there->to_bytes();
        EXPECT_EQ(there->to_bytes(), bytes) << parts << " parts";
        for (std::size_t t = 0; t < 2; ++t) {
          const TargetFit &one = here->linear()->targets[t], &other = there->linear()->targets[t];
          double largest = 0;
          for (const Coefficient& c : one.coefficients) largest = std::max(largest, std::abs(c.value));
          for (std::size_t j = 0; j < one.coefficients.size(); ++j)
            EXPECT_NEAR(other.coefficients[j].value, one.coefficients[j].value, 1e-4 * largest);
          EXPECT_NEAR(other.r2, one.r2, 1e-6);
        }
        const auto proof = verify(*there, data); // here, by a solver of one machine
        ASSERT_TRUE(proof) << proof.error().text();
        EXPECT_EQ(proof->verdict, Verdict::proved);
      }
    }
}

// Documents of a few words out of many, some of which only one class has.
Dataset documents(Index n) {
  std::mt19937 random(3);
  Dataset data;
  data.source = "documents";
  data.rows = n;
  Column text{"body", ColumnType::text, {}, {}, {}},
      label{"label", ColumnType::category, {}, {}, {"ham", "odd", "spam"}};
  Column age{"age", ColumnType::real, {}, {}, {}};
  for (Index i = 0; i < n; ++i) {
    const auto k = random() % 3;
    std::string body;
    for (int word = 0; word < 6; ++word)
      body += "w" + std::to_string((random() % 40) * (random() % 3 == 0 ? k + 1 : 1)) + (word % 2 ? " " : ", ");
    text.levels.push_back(i % 50 == 0 ? "" : body);
    label.codes.push_back(static_cast<std::int32_t>(k));
    age.values.push_back(static_cast<double>(random() % 60));
  }
  for (Column* one : {&text, &label, &age}) data.columns.push_back(std::move(*one));
  return data;
}

TEST(ColumnsOfParts, VocabulariesAreLearnedAsOnOneMachine) {
  const Dataset data = documents(6000);
  TextOptions words, pairs, hashed, given;
  words.least_documents = {20, false}, words.idf = true, words.norm = TextNorm::l2;
  pairs.most_length = 2, pairs.most_terms = 150;
  hashed.buckets = 32;
  given.vocabulary = {"w3", "w1", "w99", "absent"};
  for (const TextOptions& text : {words, pairs, hashed, given})
    for (const Case& one : {Case{"naive-bayes", "label", {{"likelihood", "multinomial"}}},
                            Case{"softmax", "label", {{"lambda", 0.01}}}, Case{"ridge", "age", {{"lambda", 0.1}}}}) {
      RoundsJob job{one.word, {}, nullptr};
      job.options.target = {one.target}, job.options.params = one.params;
      job.options.ignore = {one.target == "age" ? "label" : "age"};
      job.options.text = {{.column = "body", .options = text}};
      const auto here = fit(job.word, data, job.options);
      ASSERT_TRUE(here) << here.error().text();
      std::string bytes;
      for (const Index parts : {1, 2, 7}) {
        Parts engine(data, job, cut(data.rows, parts), parts == 7);
        const auto there = fit_in_rounds(job, data, engine);
        ASSERT_TRUE(there) << one.word << ": " << there.error().text();
        if (bytes.empty()) bytes = there->to_bytes();
        EXPECT_EQ(there->to_bytes(), bytes) << one.word << ", " << parts << " parts";
        EXPECT_EQ(there->certificate.verdict, here->certificate.verdict);
        EXPECT_EQ(there->fingerprint, here->fingerprint); // so all features of all rows are the same
        EXPECT_EQ(there->schema.texts[0].terms(), here->schema.texts[0].terms());
        EXPECT_EQ(there->schema.texts[0].idf, here->schema.texts[0].idf);
        EXPECT_EQ(there->schema.texts[0].documents, here->schema.texts[0].documents);
        EXPECT_EQ(there->schema.texts[0].collisions, here->schema.texts[0].collisions);
        const auto proof = verify(*there, data);
        ASSERT_TRUE(proof) << proof.error().text();
        EXPECT_EQ(proof->verdict, here->certificate.verdict);
        const RoundsJob again{{}, {}, &*there};
        Parts verifier(data, again, cut(data.rows, parts, 5));
        const auto certificate = verify_in_rounds(again, data, verifier);
        ASSERT_TRUE(certificate) << certificate.error().text();
        EXPECT_EQ(certificate->verdict, here->certificate.verdict);
      }
    }
}

TEST(ColumnsOfParts, ADocumentThatIsNoTextIsNamed) {
  Dataset data = documents(300);
  data.columns[0].levels[250] = "bad \xFF byte";
  RoundsJob job{"naive-bayes", {}, nullptr};
  job.options.target = {"label"}, job.options.ignore = {"age"}, job.options.params["likelihood"] = "multinomial";
  job.options.text = {{.column = "body"}};
  Parts engine(data, job, {0, 100, 200, 300});
  const auto found = fit_in_rounds(job, data, engine);
  ASSERT_FALSE(found);
  EXPECT_TRUE(found.error().where.starts_with("part 3, documents, row 51, column body")) << found.error().text();
}

TEST(ColumnsOfParts, NeighboursThatFillInAreRefusedWithTheCure) {
  const Dataset data = table_with_gaps(300);
  RoundsJob job = job_of({"ridge", "y", {{"lambda", 0.1}}});
  job.options.missing = Missing::neighbours;
  Parts engine(data, job, cut(data.rows, 2));
  const auto found = fit_in_rounds(job, data, engine);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::usage);
  EXPECT_NE(found.error().advice.find("mean"), std::string::npos) << found.error().text();
}

// Too many columns for their products: by the products of rows with vectors, one in a round.
TEST(ColumnsOfParts, ManyColumnsAreFittedWithoutTheirProducts) {
  const Dataset data = table(600, 1100);
  const RoundsJob job = job_of({"logistic", "two", {{"lambda", 0.1}}});
  std::string bytes;
  for (const Index parts : {1, 4}) {
    Parts engine(data, job, cut(data.rows, parts));
    const auto there = fit_in_rounds(job, data, engine);
    ASSERT_TRUE(there) << there.error().text();
    EXPECT_EQ(there->linear()->solver, "newton-cg");
    EXPECT_EQ(there->certificate.verdict, Verdict::proved) << there->certificate.sentence();
    EXPECT_LE(engine.rounds, 100); // as docs/cluster.md says
    if (bytes.empty()) bytes = there->to_bytes();
    EXPECT_EQ(there->to_bytes(), bytes);
    const auto here = fit(job.word, data, job.options); // by another method
    ASSERT_TRUE(here) << here.error().text();
    EXPECT_NE(here->linear()->reason, there->linear()->reason);
    EXPECT_NEAR(there->certificate.objective, here->certificate.objective, 1e-10 * here->certificate.objective);
    const auto proof = verify(*there, data);
    ASSERT_TRUE(proof) << proof.error().text();
    EXPECT_EQ(proof->verdict, Verdict::proved);
  }
}

TEST(ColumnsOfParts, AColumnWithoutAnyNumberHasNoMean) {
  Dataset data = table(300, 2);
  for (double& value : data.columns[1].values) value = std::numeric_limits<double>::quiet_NaN();
  RoundsJob job = job_of({"ridge", "y", {{"lambda", 0.1}}});
  job.options.missing = Missing::mean;
  Parts engine(data, job, cut(data.rows, 3));
  const auto found = fit_in_rounds(job, data, engine);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().text(),
            "the table, column x1: every value is missing, so there is no mean; pass --ignore x1");
}

} // namespace
} // namespace recta
