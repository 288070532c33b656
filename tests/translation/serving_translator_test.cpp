#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "core/error.h"
#include "support/copy_model.h"
#include "support/tiny_text.h"
#include "translation/translator.h"

/// Translator::serve().
namespace ventris::translation {
namespace {

/// Requests that are all there; it remembers what becomes of each.
class Requests : public RequestStream {
 public:
  explicit Requests(std::vector<Request> all) : requests(std::move(all)) {}

  const Request* next() override { return next_ == requests.size() ? nullptr : &requests[next_++]; }
  void done(const Request& request, Translation translation) override { texts[&request] = translation.text(); }
  void failed(const Request& request, std::exception_ptr problem) override {
    try {
      std::rethrow_exception(problem);
    } catch (const std::exception& error) {
      errors[&request] = error.what();
    }
  }

  std::vector<Request> requests;
  std::map<const Request*, std::string> texts, errors;

 private:
  size_t next_ = 0;
};

std::vector<Request> requests_of(const std::vector<std::string>& lines) {
  std::vector<Request> requests;
  for (const std::string& line : lines) requests.push_back({.text = line, .prefix = ""});
  return requests;
}

TEST(ServingTranslator, GivesEachRequestWhatARunGives) {
  const auto package = test::copying_package();
  std::vector<std::string> lines = test::tiny_text();
  lines.insert(lines.begin() + 3, {"", " \t"});
  for (const bool refills : {false, true}) {
    auto info = test::info_of(package);
    info.refills = refills;
    const auto factory = std::make_shared<test::TableFactory>(test::copy_table(info.vocab), info, test::Ids{0, 1, 2});
    TranslatorOptions options;
    options.batch.sentences = 7;
    options.finish.alignment = refills;  // also with a scorer of pairs
    const Translator translator(package, factory, options);
    Requests stream(requests_of(lines));
    translator.serve(stream);
    const auto expected = translator.translate(lines);
    for (size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(stream.texts[&stream.requests[i]], expected[i].text());
    EXPECT_TRUE(stream.errors.empty());
  }
}

TEST(ServingTranslator, AWrongRequestFailsAlone) {
  const auto package = test::copying_package();
  const Translator translator(package, test::copy_factory(package), {});
  Requests stream(requests_of({"bread", "umbrella", "bread"}));
  stream.requests[1].source_language = "zz";
  translator.serve(stream);
  EXPECT_EQ(stream.texts[&stream.requests[0]], "bread");
  EXPECT_EQ(stream.texts[&stream.requests[2]], "bread");
  EXPECT_NE(stream.errors[&stream.requests[1]].find("source_language"), std::string::npos);
}

TEST(ServingTranslator, ASearchThatFailsFailsAllThatAreInIt) {
  const auto package = test::copying_package();
  const test::Table broken = [](const auto&, const auto&) -> std::vector<float> { throw std::runtime_error("broken"); };
  const auto factory = std::make_shared<test::TableFactory>(broken, test::info_of(package), test::Ids{0, 1, 2});
  const Translator translator(package, factory, {});
  Requests stream(requests_of({"bread", "umbrella", "bread", ""}));
  translator.serve(stream);
  EXPECT_EQ(stream.errors.size(), 3U);
  EXPECT_EQ(stream.texts.size(), 1U);  // the blank one
}

}  // namespace
}  // namespace ventris::translation
