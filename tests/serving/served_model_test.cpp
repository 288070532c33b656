#include "serving/served_model.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "serving/http_message.h"
#include "support/copying_models.h"
#include "support/errors.h"

namespace ventris::serving {
namespace {

class ServedModelTest : public CopyingModels {
 protected:
  ServedModel open(nlohmann::json settings = nlohmann::json::object()) {
    settings["model"] = bundle;
    return ServedModel(settings);
  }
};

TEST_F(ServedModelTest, EachKindOfSearchHasOneLaneOfItsOwn) {
  ServedModel model = open();
  const ServedLane& plain = model.lane({});
  EXPECT_EQ(&model.lane({}), &plain);
  const ServedLane& scored = model.lane({.scores = true});
  EXPECT_NE(&scored, &plain);
  EXPECT_NE(scored.number, plain.number);
  ServedModel other = open();
  EXPECT_NE(other.lane({}).number, plain.number) << "a number is of one lane, whatever the model";
}

TEST_F(ServedModelTest, TheBeamIsWidenedToAPowerOfTwoForMoreCandidatesThanUsual) {
  const ServedModel model = open({{"beam_size", 3}});
  EXPECT_EQ(model.beam_for(1), 0);
  EXPECT_EQ(model.beam_for(3), 0);
  EXPECT_EQ(model.beam_for(4), 4);
  EXPECT_EQ(model.beam_for(5), 8);
  EXPECT_EQ(model.beam_for(8), 8);
}

TEST_F(ServedModelTest, ManyCandidatesAreAsManyAsTheBeamHas) {
  ServedModel model = open();
  const auto candidates = [&](const SearchKind& kind) {
    return model.lane(kind).translator.translate({"The driver likes bread."}).front().candidates.size();
  };
  EXPECT_EQ(candidates({}), 1U);
  EXPECT_EQ(candidates({.many = true, .beam = 8}), 8U);
}

TEST_F(ServedModelTest, DocumentsAreKeptByTheirKind) {
  ServedModel model = open();
  TextKind whole, german, unknown;
  whole.split = false;
  german.language = "de";
  unknown.language = "zz";
  const auto& plain = model.documents({});
  EXPECT_EQ(&model.documents({}), &plain);
  EXPECT_NE(&model.documents(whole), &plain);
  EXPECT_NE(&model.documents(german), &plain);
  EXPECT_EQ(&model.documents(unknown), &plain) << "a language whose abbreviations are not known is none";
}

TEST_F(ServedModelTest, TheListOfTermsIsReadOnce) {
  const std::string terms = folder.file("terms", "bread\tumbrella\n");
  ServedModel model = open({{"terms", terms}, {"beam_size", 4}});
  const auto translation = [&](const SearchKind& kind) {
    return model.lane(kind).translator.translate({"The driver likes bread."}).front().text();
  };
  const std::string usual = translation({});
  EXPECT_NE(usual.find("umbrella"), std::string::npos) << usual;
  folder.file("terms", "bread\tZürich\n");
  EXPECT_EQ(translation({.scores = true}), usual);
  std::filesystem::remove(terms);
  EXPECT_EQ(translation({.scores = true, .links = true}), usual);
}

TEST_F(ServedModelTest, AModelThatIsNotThereIsNamed) {
  bundle = folder.path("none");
  EXPECT_FAILS(open(), ModelError, bundle);
  EXPECT_FAILS(ServedModel({{"model", "m"}, {"beam_sizes", 3}}), ConfigError, "beam_sizes");
}

TEST_F(ServedModelTest, OnlyAMultilingualModelIsToldItsLanguages) {
  EXPECT_EQ(open().languages_of("en", "de", {{"en", "eng"}}), (std::pair<std::string, std::string>{"", ""}));
  model::Package package = test::copying_package();
  package.config.tokenizer.languages["eng"].source_prefix = {"e"};
  package.config.tokenizer.languages["deu"].to_prefix = {"n"};
  bundle = test::write_zero_bundle(folder.path("multilingual"), package);
  ServedModel model = open();
  EXPECT_EQ(model.languages_of("en", "deu", {{"en", "eng"}}), (std::pair<std::string, std::string>{"eng", "deu"}));
  EXPECT_FAILS(model.languages_of("en", "deu", {}), ConfigError, "en");
}

}  // namespace
}  // namespace ventris::serving
