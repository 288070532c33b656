#include "data/corpus_forms.h"

#include <gtest/gtest.h>

#include <set>

#include "support/temp_folder.h"

namespace ventris::data {
namespace {

/// Gives the same links for every line.
class SameLinks : public LinkReader {
 public:
  std::string origin() const override { return "test"; }
  metrics::Division division() const override { return metrics::Division::kText; }
  void begin(const CorpusSpec&) override {}
  text::Links next() override { return {{0, 0}}; }
};

TEST(CorpusForms, TheFormsOfACorpusAreThoseOfItsLinkedWords) {
  test::TempFolder folder;
  const CorpusSpec corpus{
      .files = {folder.file("en", "dog\nDogs\ndog\ndogs\n"), folder.file("de", "Hund\nHunde\nHund\nHunde\n")}};
  SameLinks links;
  const auto forms = forms_in(corpus, links);
  std::set<std::string_view> drawn;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    modifiers::Draws draws(seed);
    drawn.insert(forms.draw("dogs", "Hunde", draws));
  }
  EXPECT_EQ(drawn, (std::set<std::string_view>{"Hunde"}));
  modifiers::Draws draws(1);
  EXPECT_EQ(forms.draw("dog", "Hundes", draws), "Hund");
}

}  // namespace
}  // namespace ventris::data
