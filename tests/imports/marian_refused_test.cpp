#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "files/files.h"
#include "imports/import_model.h"
#include "imports/marian_model.h"
#include "imports/marian_shortlist.h"
#include "imports/marian_tensors.h"
#include "imports/marian_writer.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/zip.h"
#include "text/tokenizer.h"

/// Files of Marian that are damaged or do not fit together.
namespace ventris::imports {
namespace {

using testing::ElementsAre;

const std::string kGoodMarian = VENTRIS_SOURCE "/tests/imports/data/marian/";
constexpr uint64_t kF32OfMarian = 0x0404, kI8OfMarian = 0x0101, kIntgemm8OfMarian = 0x10001;

class RefusedMarianBin : public testing::Test {
 protected:
  MarianTensors read(const std::string& bytes) const { return read_marian_bin(folder.file("m.bin", bytes)); }

  test::TempFolder folder;
};

TEST_F(RefusedMarianBin, WhatIsWrongIsSaid) {
  const std::string four(4, '\0');
  EXPECT_FAILS(read(MarianBinWriter().bytes(2)), ModelError, "m.bin: is encrypted; decrypt it with Marian first");
  EXPECT_FAILS(read(MarianBinWriter().bytes(3)), ModelError,
               "m.bin: expected a .bin file of Marian with the file version 1, found 3");
  EXPECT_FAILS(read("1"), ModelError, "m.bin: damaged, or no .bin file of Marian: it ends too early, at byte 0");
  EXPECT_FAILS(read(bytes_of_number(1, 8) + bytes_of_number(1U << 30U, 8)), ModelError,
               "it says that it has 1073741824 tensors");
  EXPECT_FAILS(read(MarianBinWriter().add("a\n", kF32OfMarian, {1}, four).bytes()), ModelError,
               "a name is not a printable text with a 0 at its end");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kF32OfMarian, std::vector<int32_t>(9, 1), four).bytes()), ModelError,
               "a has too many dimensions");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kF32OfMarian, {-1}, four).bytes()), ModelError, "a has a shape below 0");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kF32OfMarian, {2}, four).bytes()), ModelError,
               "a is shorter than its shape");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kF32OfMarian, {1 << 30, 1 << 30, 1 << 30}, four).bytes()), ModelError,
               "a is shorter than its shape");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kIntgemm8OfMarian, {1, 2}, four).bytes()), ModelError,
               "a has no multiplier");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kIntgemm8OfMarian, {2}, four + four).bytes()), ModelError,
               "a is in 8 bits, but is no matrix");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kIntgemm8OfMarian, {2, 2}, four + four).bytes()), ModelError,
               "tensor 'a': expected a multiplier over 0, found 0");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kF32OfMarian, {1}, four).add("a", kF32OfMarian, {1}, four).bytes()),
               ModelError, "m.bin: damaged: the tensor 'a' is there twice");
}

TEST_F(RefusedMarianBin, OtherTypesAreNamed) {
  const std::string bytes(16, '\0');
  for (const auto& [type, name] : {std::pair<uint64_t, const char*>{0x4102, "intgemm16"},
                                   {0x0802, "packed16"},
                                   {0x12001, "intgemm8avx2"},
                                   {0x0402, "float16"},
                                   {77, "77"}}) {
    const std::string file = MarianBinWriter().add("a", type, {1, 1}, bytes).bytes();
    EXPECT_FAILS(read(file), ModelError,
                 "tensor 'a': expected elements in float32 or intgemm8, found " + std::string(name) +
                     "; convert the original .npz file instead");
  }
}

TEST_F(RefusedMarianBin, AllMatricesButEmbeddingsAreTransposed) {
  const std::string elements("\x01\x02\x03\x04\x05\x06", 6);
  const float two = 2;
  const std::string data = elements + std::string(reinterpret_cast<const char*>(&two), 4);
  const MarianTensors tensors = read(MarianBinWriter()
                                         .add("encoder_Wemb", kIntgemm8OfMarian, {2, 3}, data)
                                         .add("x_W1", kIntgemm8OfMarian, {2, 3}, data)
                                         .add("x_W1_QuantMultA", kF32OfMarian, {1, 1}, data)
                                         .add("special:model.yml", kI8OfMarian, {6}, std::string("a: 1\0b", 6))
                                         .bytes());
  EXPECT_THAT(tensors.floats("encoder_Wemb"), ElementsAre(0.5, 1, 1.5, 2, 2.5, 3));
  EXPECT_THAT(tensors.floats("x_W1"), ElementsAre(0.5, 1.5, 2.5, 1, 2, 3));
  EXPECT_THAT(tensors.names(), ElementsAre("encoder_Wemb", "x_W1"));
  EXPECT_EQ(tensors.settings(), "a: 1");
}

std::string array_of_numpy(const std::string& head, const std::string& data) {
  return "\x93NUMPY\x01" + std::string(1, '\0') + bytes_of_number(head.size(), 2) + head + data;
}

class RefusedMarianNpz : public testing::Test {
 protected:
  MarianTensors read(const std::string& array, const std::string& name = "a.npy") const {
    const std::string path = folder.path("m.npz");
    test::write_zip(path, {{name, array}});
    return read_marian_npz(path);
  }

  test::TempFolder folder;
};

TEST_F(RefusedMarianNpz, WhatIsWrongIsSaid) {
  const std::string data(24, '\0');
  const auto head = [](const std::string& type, const std::string& order, const std::string& shape) {
    return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
  };
  EXPECT_THAT(read(array_of_numpy(head("<f4", "False", "(2, 3)"), data)).shape("a"), ElementsAre(2, 3));
  EXPECT_THAT(read(array_of_numpy(head("<f4", "False", "(6,)"), data)).shape("a"), ElementsAre(6));
  EXPECT_FAILS(read(data, "a.txt"), ModelError, "m.npz: expected arrays of NumPy, found 'a.txt'");
  EXPECT_FAILS(read(data), ModelError, "m.npz: damaged: the array 'a' is no array of NumPy");
  EXPECT_FAILS(read(array_of_numpy(head("<f4", "False", "(2, 4)"), data)), ModelError,
               "the array 'a' has another size than its shape says");
  EXPECT_FAILS(read(array_of_numpy(head("<f4", "True", "(2, 3)"), data)), ModelError,
               "the array 'a' has its elements column by column; expected row by row");
  EXPECT_FAILS(read(array_of_numpy(head("<f8", "False", "(3,)"), data)), ModelError,
               "tensor 'a': expected elements of type <f4 or <f2, found <f8");
  EXPECT_FAILS(read(array_of_numpy(head("|i1", "False", "(24,)"), data)), ModelError,
               "tensor 'a': expected elements of type <f4 or <f2, found |i1");
  for (const char* wrong : {"{}", "{'descr': '<f4'}", "{'descr': '<f4', 'descr': '<f4', 'shape': (), }", "[]",
                            "{'descr': '<f4', 'fortran_order': False, 'shape': (-1), }",
                            "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }",
                            "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), } x"}) {
    EXPECT_FAILS(read(array_of_numpy(wrong, data)), ModelError, "the array 'a' has a wrong header") << wrong;
  }
}

class MarianOptionsOfImport : public testing::Test {
 protected:
  ImportOptions options(std::vector<std::string> vocabularies) const {
    ImportOptions options{kGoodMarian + "post.npz"};
    options.vocabularies = std::move(vocabularies);
    return options;
  }
  std::string file(const std::string& text) const { return folder.file("v.yml", text); }

  test::TempFolder folder;
};

TEST_F(MarianOptionsOfImport, TheVocabulariesMustFitTheModel) {
  EXPECT_EQ(import_model(options({kGoodMarian + "both.yml"})).what.substr(0, 23), "a Transformer of Marian");
  EXPECT_FAILS(import_model(options({})), ConfigError, "--tokenizer: a model of Marian has no tokenizer; give the");
  EXPECT_FAILS(import_model(options({file("a\n")})), ModelError, "v.yml: line 1: expected TOKEN: ROW");
  EXPECT_FAILS(import_model(options({file("\"a: 1\n")})), ModelError, "v.yml: line 1: expected TOKEN: ROW");
  EXPECT_FAILS(import_model(options({file("a: 0\nb: 0\n")})), ModelError,
               "v.yml: line 2: expected a row of its own from 0 to 25, found 0");
  EXPECT_FAILS(import_model(options({file("a: 26\n")})), ModelError, "line 1: expected a row of its own from 0 to 25");
  EXPECT_FAILS(import_model(options({file("</s>: 0\n")})), ModelError, "v.yml: has no token <unk>");
  EXPECT_FAILS(import_model(options({file("<unk>: 0\n")})), ModelError, "v.yml: has no token </s>");
  EXPECT_FAILS(import_model(options({file("<unk>: 0\n</s>: 1\n\u2581"
                                          "a: 2\n")})),
               ConfigError, "v.yml has pieces of SentencePiece; give the model of SentencePiece");
  ImportOptions pieces{kGoodMarian + "post.npz", kGoodMarian + "both.spm"};
  EXPECT_FAILS(import_model(pieces), ModelError, "both.spm: expected 26 pieces, one for each row of the embeddings");
  ImportOptions one_of_two{kGoodMarian + "pre.npz"};
  one_of_two.vocabularies = {kGoodMarian + "source.yml"};
  EXPECT_FAILS(import_model(one_of_two), ModelError,
               "source.yml: is the only vocabulary, but the model has 14 tokens of the source and 16 of the target");
}

TEST_F(MarianOptionsOfImport, AreOnlyForMarian) {
  ImportOptions other{VENTRIS_SOURCE "/tests/imports/data/marian_shared"};
  other.vocabularies = {"v.yml"};
  EXPECT_FAILS(import_model(other), ConfigError,
               "--vocabulary: only for a model of fairseq, JoeyNMT, Marian or Bergamot; leave it out");
  other.vocabularies.clear();
  other.shortlist = "lex.bin";
  EXPECT_FAILS(import_model(other), ConfigError, "--shortlist: only for a model of Marian or Bergamot; leave it out");
  ImportOptions text{file("text")};
  text.from = "marian";
  EXPECT_FAILS(import_model(text), ModelError,
               "v.yml: expected a model of Marian: an .npz file with special:model.yml, or a .bin file");
}

TEST_F(MarianOptionsOfImport, AListWithSentencePieceHasTheRowsOfTheList) {
  const std::string list = file("</s>: 0\n<unk>: 1\n\u2581ka: 5\n");
  ImportOptions both{kGoodMarian + "post.npz", kGoodMarian + "both.spm"};
  both.vocabularies = {list};
  const Imported imported = import_model(both);
  EXPECT_THAT(imported.notes, testing::Contains(testing::HasSubstr("have no row in the model, and are treated as")));
}

/// Shortlists for the model with 26 tokens on each side.
class MarianShortlistFile : public testing::Test {
 protected:
  model::Lexicon read(const std::string& bytes) const {
    const Imported imported = import_with(bytes);
    return model::Lexicon::parse(imported.lexicon, "lexicon");
  }
  Imported import_with(const std::string& bytes) const {
    return from_marian_file(kGoodMarian + "post.npz", {{}, {kGoodMarian + "both.yml"}}, folder.file("lex.bin", bytes));
  }
  static std::vector<std::vector<uint32_t>> lists() {
    std::vector<std::vector<uint32_t>> lists(26);
    lists[0] = {0};       // </s>
    lists[2] = {14, 15};  // ka: KA LO
    lists[25] = {3};
    return lists;
  }

  test::TempFolder folder;
};

TEST_F(MarianShortlistFile, BecomesALexiconWithOurIds) {
  for (const bool with_end : {false, true}) {
    const model::Lexicon lexicon = read(marian_shortlist(lists(), 3, with_end));
    EXPECT_THAT(lexicon.frequent(), ElementsAre(3, 1, 4)) << "</s>, <unk>, ka";
    EXPECT_THAT(lexicon.pieces(3), ElementsAre(3));
    EXPECT_THAT(lexicon.pieces(4), ElementsAre(16, 17));
    EXPECT_THAT(lexicon.pieces(27), ElementsAre(5));
    EXPECT_THAT(lexicon.pieces(0), ElementsAre());
  }
}

TEST_F(MarianShortlistFile, FitsTheBundle) {
  const Imported imported = import_with(marian_shortlist(lists(), 3, true));
  const model::Package& package = imported.package;
  const auto tokenizers = model::lexicon_tokenizers(package.source_spm, package.config.architecture->src_vocab(),
                                                    package.target_spm, package.config.architecture->tgt_vocab());
  EXPECT_NO_THROW(model::Lexicon::parse(imported.lexicon, "lexicon").check_tokenizers(tokenizers, "lexicon", "model"));
}

/// That of a published model, which is not part of this repository.
TEST(PublishedShortlist, BecomesALexicon) {
  const char* given = std::getenv("VENTRIS_FIXTURES");
  const std::string folder =
      (given != nullptr ? given : VENTRIS_SOURCE "/../shared/fixtures") + std::string("/bergamot/");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << ": does not exist; VENTRIS_FIXTURES names the folder";
  Sides sides;
  sides.source_rows = sides.target_rows = 32000;
  model::Package package;
  std::vector<std::string> notes;
  read_marian_vocabularies({{folder + "enes.vocab.esen.spm"}, {}}, sides, package, notes);
  const std::string path = folder + "enes.lex.50.50.enes.s2t.bin";
  const model::Lexicon lexicon = read_marian_shortlist(files::read_file(path), path, sides, package);
  EXPECT_EQ(lexicon.frequent().size(), 50U);
  const text::Tokenizer tokenizer(package.source_spm, "source");
  const auto translations = [&](const std::string& piece) {
    std::vector<std::string> texts;
    for (const int32_t id : lexicon.pieces(tokenizer.id_of("\u2581" + piece))) texts.push_back(tokenizer.piece(id));
    return texts;
  };
  EXPECT_THAT(translations("house"), testing::Contains("\u2581casa"));
  EXPECT_THAT(translations("water"), testing::Contains("\u2581agua"));
  EXPECT_LE(translations("house").size(), 50U);
}

TEST_F(MarianShortlistFile, WhatIsWrongIsSaid) {
  const std::string good = marian_shortlist(lists(), 3, true);
  EXPECT_FAILS(read("x"), ModelError, "lex.bin: damaged, or no binary shortlist of Bergamot: it ends too early");
  EXPECT_FAILS(read("x" + good), ModelError, "it does not begin like one");
  EXPECT_FAILS(read(good + "x"), ModelError, "it has another size than it says");
  std::string changed = good;
  changed.back() ^= 1;
  EXPECT_FAILS(read(changed), ModelError, "it has a wrong checksum");
  EXPECT_FAILS(read(marian_shortlist({{1}, {2}}, 3, true)), ModelError,
               "lex.bin: expected lists for the 26 tokens of the source, found 3; it is of another model");
  auto wrong = lists();
  wrong[3] = {26};
  EXPECT_FAILS(read(marian_shortlist(wrong, 3, true)), ModelError, "expected target tokens under 26, found 26");
  wrong[3] = std::vector<uint32_t>(1001, 1);
  EXPECT_FAILS(read(marian_shortlist(wrong, 3, true)), ModelError, "token 3 has 1001 translations; expected at most");
}

}  // namespace
}  // namespace ventris::imports
