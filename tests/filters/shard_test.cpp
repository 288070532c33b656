#include "filters/shard.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/error.h"
#include "filters/translate_file.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "support/gzip.h"
#include "support/temp_folder.h"

namespace ventris::filters {
namespace {

TEST(Shard, IsReadAsItsNumberAndTheNumberOfAll) {
  EXPECT_TRUE(parse_shard("").is_whole());
  EXPECT_TRUE(parse_shard("1/1").is_whole());
  const Shard shard = parse_shard("2/8");
  EXPECT_EQ(shard.number, 2);
  EXPECT_EQ(shard.parts, 8);
  for (const char* wrong : {"0/8", "9/8", "1", "1/", "/8", "1/0", "-1/8", "1/8 ", "a/b", "1/1000001", "1/8/2"}) {
    EXPECT_FAILS(parse_shard(wrong), ConfigError, "shard: expected I/N with I from 1 to N") << wrong;
  }
}

TEST(Shard, TogetherAllHaveEachLineOnceAndDifferByAtMostOneLine) {
  for (const int64_t lines : {0, 1, 2, 7, 100, 101}) {
    for (const int64_t parts : {1, 2, 3, 7, 200}) {
      int64_t next = 0;
      for (int64_t number = 1; number <= parts; ++number) {
        const auto [begin, end] = range_of({number, parts}, lines);
        EXPECT_EQ(begin, next);
        EXPECT_LE(std::abs((end - begin) * parts - lines), parts);
        next = end;
      }
      EXPECT_EQ(next, lines);
    }
  }
  EXPECT_EQ(range_of({1'000'000, 1'000'000}, INT64_MAX).second, INT64_MAX);
}

class ShardOfAFile : public testing::Test {
 protected:
  std::string translate(const std::string& input, const std::string& shard, const std::string& name = "out") {
    settings.input = input;
    settings.output = folder.path(name);
    settings.shard = shard;
    translate_file(settings, package, [&] { return test::copy_factory(package); });
    return test::file_bytes(settings.output);
  }
  std::string all_parts(const std::string& input, int parts, const std::string& name = "out") {
    std::string all;
    for (int i = 1; i <= parts; ++i) all += translate(input, std::to_string(i) + "/" + std::to_string(parts), name);
    return all;
  }

  test::TempFolder folder;
  model::Package package = test::copying_package();
  TranslateSettings settings;
  const std::string kText = "\xEF\xBB\xBFThe driver likes bread.\n\nNobody sees bread.\nbread\n\nNobody";
  const std::string kJson =
      "{\"text\":\"bread\"}\n\n \n{\"text\":\"Nobody\"}\n\n{\"id\":\"x\",\"text\":\"bread\"}\n{\"text\":\"a\"}\n";
};

TEST_F(ShardOfAFile, TheOutputsOfAllPartsAreTheOutputOfTheWhole) {
  const auto without_times = [](std::string output) {  // "seconds" differ from run to run
    for (size_t at = output.find(",\"seconds\":"); at != std::string::npos; at = output.find(",\"seconds\":")) {
      output.erase(at, output.find('}', at) - at);
    }
    return output;
  };
  const auto expect_whole = [&](const std::string& input, InputFormat from, OutputFormat format, int parts) {
    settings.input_format = from;
    settings.written.format = format;
    EXPECT_EQ(without_times(all_parts(input, parts)), without_times(translate(input, ""))) << input << " " << parts;
  };
  const std::string text = folder.file("in", kText), packed = folder.file("in.gz", test::gzipped(kText)),
                    plain_json = folder.file("json", kJson), packed_json = folder.file("json.gz", test::gzipped(kJson));
  expect_whole(text, InputFormat::kText, OutputFormat::kText, 11);
  expect_whole(packed, InputFormat::kText, OutputFormat::kMoses, 4);
  expect_whole(packed_json, InputFormat::kJsonl, OutputFormat::kMoses, 3);
  expect_whole(plain_json, InputFormat::kJsonl, OutputFormat::kJsonl, 4);
}

TEST_F(ShardOfAFile, PackedOutputsCanBePutOneAfterTheOtherToo) {
  const std::string input = folder.file("in", kText), whole = translate(input, "");
  const std::string packed = all_parts(input, 3, "out.gz");
  EXPECT_EQ(translate(folder.file("again.gz", packed), ""), whole);
}

TEST_F(ShardOfAFile, SamplesAreThoseOfTheWhole) {
  settings.translator.search.sampling.enabled = true;
  settings.translator.search.sampling.temperature = 5;
  const std::string input = folder.file("in", kText), whole = translate(input, "");
  EXPECT_EQ(all_parts(input, 3), whole);
}

TEST_F(ShardOfAFile, AWrongLineIsNamedByItsNumberInTheFileAndOnlyItsPartFails) {
  settings.input_format = InputFormat::kJsonl;
  settings.written.format = OutputFormat::kMoses;
  const std::string line = "{\"text\":\"bread\"}\n",
                    input = folder.file("in", line + "x\n" + line + line + "y\n" + line);
  EXPECT_FAILS(translate(input, "1/3"), DataError, "in:2: ");
  EXPECT_EQ(translate(input, "2/3").substr(0, 6), "2 ||| ");
  EXPECT_FAILS(translate(input, "3/3"), DataError, "in:5: ");
}

TEST_F(ShardOfAFile, GoesOnAfterAWrongLineWasMended) {
  settings.input_format = InputFormat::kJsonl;
  settings.written.format = OutputFormat::kMoses;
  const std::string line = "{\"text\":\"bread\"}\n";
  std::string input = folder.file("in", line + line + line + "x\n");
  EXPECT_FAILS(translate(input, "2/2"), DataError, "1 line is finished");
  input = folder.file("in", line + line + line + "{\"text\":\"Nobody\"}\n");
  settings.resume = true;
  const std::string resumed = translate(input, "2/2");
  settings.resume = false;
  EXPECT_EQ(resumed, translate(input, "2/2"));
}

TEST_F(ShardOfAFile, AnotherPartCannotGoOnWithIt) {
  settings.input_format = InputFormat::kJsonl;
  const std::string line = "{\"text\":\"bread\"}\n", input = folder.file("in", line + line + line + "x\n");
  EXPECT_THROW(translate(input, "2/2"), DataError);
  settings.resume = true;
  EXPECT_FAILS(translate(input, "2/4"), ConfigError, "was begun with another shard (2/2 at the start, now 2/4)");
}

TEST_F(ShardOfAFile, APipeIsRefusedBeforeItIsRead) {
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_FAILS(translate(folder.path("pipe"), "1/2"), ConfigError, "pipe is not a plain file");
  EXPECT_FAILS(translate(folder.path("none"), "1/2"), DataError, "none: cannot be read");
}

TEST_F(ShardOfAFile, WhatCannotBeDividedIsRefused) {
  const auto refused = [](nlohmann::json more) {
    if (!more.contains("shard")) more["shard"] = "1/2";
    EXPECT_FAILS(TranslateSettings::parse(more, {}), ConfigError, "shard: ") << more;
  };
  refused({{"model", "m"}});
  refused({{"model", "m"}, {"input", "in"}, {"force_prefix", "prefixes"}});
  refused({{"model", "m"}, {"input", "in"}, {"markup", "html"}});
  refused({{"model", "m"}, {"input", "in"}, {"sampling", true}, {"split_sentences", true}});
  refused({{"model", "m"}, {"input", "in"}, {"shard", "x"}});
  EXPECT_EQ(TranslateSettings::parse({{"model", "m"}, {"shard", "1/1"}}, {}).shard, "1/1");
}

}  // namespace
}  // namespace ventris::filters
