#include "alignment/model_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "alignment/aligner.h"
#include "core/error.h"
#include "drawn_pairs.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::alignment {
namespace {

void write(const std::string& path, const SentencePairs& pairs, const AlignmentModel& model) {
  files::OutputFile output(path, files::Packing::kBySuffix);
  write_model(output, pairs, model, metrics::Division::kTokenized);
  output.commit();
}

std::vector<Links> links_of(const SentencePairs& pairs, const AlignmentModel& model) {
  std::vector<Links> links;
  link_pairs(pairs, model, {}, [&](const AlignedPair& pair) { links.push_back(pair.links); });
  return links;
}

/// A folder with a model of drawn sentences, as a file.
class ModelFile : public testing::Test {
 protected:
  ModelFile() : pairs_(4) {
    test::add_sentences(pairs_, sentences_);
    model_ = estimate_alignment(pairs_, {}).model;
    write(path_, pairs_, model_);
  }

  test::TempFolder folder_;
  std::string path_ = folder_.path("model");
  std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> sentences_ = test::drawn_sentences(60);
  SentencePairs pairs_;
  AlignmentModel model_;
};

TEST_F(ModelFile, GivesTheSameLinksAfterReading) {
  for (const std::string& path : {path_, folder_.path("model.gz")}) {
    write(path, pairs_, model_);
    SavedModel saved = read_model(path);
    EXPECT_EQ(saved.division, metrics::Division::kTokenized);
    EXPECT_EQ(saved.pairs.source_words().prefix(), 4);
    test::add_sentences(saved.pairs, sentences_, false);
    EXPECT_EQ(links_of(saved.pairs, saved.model), links_of(pairs_, model_));
  }
}

TEST_F(ModelFile, IsTheSameWhenItIsWrittenAgain) {
  const SavedModel saved = read_model(path_);
  write(folder_.path("again"), saved.pairs, saved.model);
  const SavedModel again = read_model(folder_.path("again"));
  EXPECT_EQ(again.model.ratios, model_.ratios);
  EXPECT_EQ(again.model.forward, model_.forward);
  EXPECT_EQ(again.model.source.classes, model_.source.classes);
  EXPECT_EQ(again.model.target.all_alone, model_.target.all_alone);
}

TEST_F(ModelFile, DamageIsFoundWhereverItIs) {
  const std::string bytes = test::file_bytes(path_);
  const std::string damaged = folder_.path("damaged");
  for (size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 150) {
    std::string changed = bytes;
    changed[at] = changed[at] == '1' ? '2' : '1';
    EXPECT_THROW(read_model(folder_.file("damaged", changed)), ModelError) << at;
    EXPECT_THROW(read_model(folder_.file("damaged", bytes.substr(0, at))), ModelError) << at;
  }
  EXPECT_FAILS(read_model(folder_.file("damaged", bytes + "more\n")), ModelError, "expected the end of the file");
}

TEST_F(ModelFile, OtherFilesAreRefused) {
  EXPECT_FAILS(read_model(folder_.path("none")), ModelError, "none: ");
  EXPECT_FAILS(read_model(folder_.file("text", "Hello\n")), ModelError, "is not a model of ventris-align");
  EXPECT_FAILS(read_model(folder_.file("json", "{}\n")), ModelError, "is not a model of ventris-align: format");
  EXPECT_FAILS(read_model(folder_.file("other", R"({"format":"ventris-alignment","version":2})")), ModelError,
               "expected ventris-alignment version 1, found ventris-alignment version 2");
  EXPECT_FAILS(read_model(folder_.file("empty", "")), ModelError, "the file ends too early");
}

/// The first line of the model with other text in the place of a part of it, and the other lines.
std::string with(const std::string& bytes, const std::string& part, const std::string& other) {
  std::string changed = bytes;
  changed.replace(changed.find(part), part.size(), other);
  return changed;
}

TEST_F(ModelFile, NumbersThatPointNowhereAreRefused) {
  const std::string bytes = test::file_bytes(path_);
  const auto read = [&](const std::string& changed) { return read_model(folder_.file("changed", changed)); };
  const std::string words = "\"source_words\":" + std::to_string(pairs_.source_words().size());
  EXPECT_FAILS(read(with(bytes, words, "\"source_words\":1000000000000")), ModelError, "expected source_words from 0");
  EXPECT_FAILS(read(with(bytes, words, "\"source_words\":200000000")), ModelError, "expected");
  EXPECT_FAILS(read(with(bytes, words, "\"source_words\":-1")), ModelError, "expected source_words from 0");
  EXPECT_FAILS(read(with(bytes, "\"prefix\":4", "\"prefix\":1000")), ModelError, "expected prefix from 0 to 64");
  EXPECT_FAILS(read(with(bytes, "\"ratios\":[", "\"ratios\":[1.0,")), ModelError, "expected 99 ratios, found 100");
  const size_t word = bytes.find('\n') + 1, count = bytes.find('\t', word) + 1;
  const std::string often = bytes.substr(0, count) + "9007199254740992" + bytes.substr(bytes.find('\t', count));
  EXPECT_FAILS(read(often), ModelError, "its words are too frequent");
  const size_t end = bytes.size() - 9, begin = bytes.rfind('\n', end - 2);  // of the last pair, before the checksum
  const auto with_pair = [&](const std::string& pair) {
    return bytes.substr(0, begin + 1) + pair + bytes.substr(end - 1);
  };
  EXPECT_FAILS(read(with_pair("0\t999\t1")), ModelError, "there is no pair 0, 999");
  EXPECT_FAILS(read(with_pair("0\t-1\t1")), ModelError, "expected a count, found '-1'");
  EXPECT_FAILS(read(with_pair("0\t0\t0\t1")), ModelError, "expected 3 columns, found 4");
  EXPECT_FAILS(read(with_pair("0\t0\t123456789")), ModelError, "the checksum of the lines is");
}

}  // namespace
}  // namespace ventris::alignment
