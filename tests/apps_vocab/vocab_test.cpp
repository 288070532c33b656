#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

#include "support/bad_tokenizer.h"
#include "support/folder_entries.h"
#include "support/gzip.h"
#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/tiny_text.h"

namespace ventris {
namespace {

using test::Outcome;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Outcome vocab(const std::vector<std::string>& arguments, const std::string& input = "") {
  return test::run_program("ventris-vocab", arguments, input);
}

std::string tiny_corpus() {
  std::string text;
  for (const std::string& line : test::tiny_text()) text += line + '\n';
  return text;
}

/// The program ended with this code and said one sentence that contains `part`, and nothing on stdout.
void expect_refusal(const Outcome& outcome, int code, const std::string& part) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr(part));
  EXPECT_THAT(outcome.err, HasSubstr("ventris-vocab: "));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

class VocabTest : public testing::Test {
 protected:
  std::string learnt(const std::vector<std::string>& flags = {}, const std::string& size = "150") {
    std::vector<std::string> arguments{"-i", corpus, "-o", folder.path("t.spm"), "--size", size, "--quiet"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Outcome outcome = vocab(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return folder.path("t.spm");
  }
  test::TempFolder folder;
  const std::string corpus = folder.file("corpus.txt", tiny_corpus());
};

TEST_F(VocabTest, LearnsTheSameFromPlainGzippedAndPipedText) {
  const std::string packed = folder.file("corpus.gz", test::gzipped(tiny_corpus()));
  std::vector<std::string> models;
  for (const std::string& input : {corpus, packed, std::string("-")}) {
    const Outcome outcome = vocab({"-i", input, "-o", folder.path("t.spm"), "--size", "60"}, tiny_corpus());
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("t.spm: 60 pieces learnt from 216 lines"));
    models.push_back(test::file_bytes(folder.path("t.spm")));
  }
  EXPECT_EQ(models[0], models[1]);
  EXPECT_EQ(models[0], models[2]);
}

TEST_F(VocabTest, AnOutputThatIsAnInputIsRefused) {
  expect_refusal(vocab({"-i", corpus, "-o", corpus, "--size", "100"}), 2, "is also an input");
  const std::string model = learnt(), text = folder.file("text", "a\n");
  for (const char* command : {"encode", "decode"}) {
    expect_refusal(vocab({command, "-m", model, "-i", text, "-o", text}), 2, "is also an input");
  }
  expect_refusal(vocab({"list", "-m", model, "-o", model}), 2, "is also an input");
  EXPECT_EQ(test::file_bytes(corpus), tiny_corpus());
  EXPECT_EQ(test::file_bytes(text), "a\n");
}

TEST_F(VocabTest, EncodedTextDecodesToItself) {
  for (const char* kind : {"unigram", "bpe"}) {
    const std::string model = learnt({"--kind", kind});
    const std::string text = "My sister sees bread.\n\nThe driver.\n   \nlast";
    for (const std::vector<std::string>& flags :
         {std::vector<std::string>{}, {"--ids"}, {"--sample", "0.2"}, {"--ids", "--sample", "0.2", "--seed", "5"}}) {
      std::vector<std::string> encode{"encode", "-m", model}, decode{"decode", "-m", model};
      encode.insert(encode.end(), flags.begin(), flags.end());
      if (!flags.empty() && flags[0] == "--ids") decode.push_back("--ids");
      const Outcome pieces = vocab(encode, text);
      ASSERT_EQ(pieces.code, 0) << pieces.err;
      EXPECT_EQ(std::count(pieces.out.begin(), pieces.out.end(), '\n'), 5);
      EXPECT_EQ(vocab(decode, pieces.out).out, "My sister sees bread.\n\nThe driver.\n\nlast\n");
    }
  }
}

TEST_F(VocabTest, AsManyLinesComeOutAsGoInEvenWhereBytesSpellALineEnd) {
  const std::string model = learnt({"--byte-fallback"}, "330");
  const Outcome outcome = vocab({"decode", "-m", model}, "<0x0A>\n\u2581 <0x0D> <0x0A>\nb\n");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 3) << outcome.out;
  EXPECT_EQ(outcome.out.find('\r'), std::string::npos);
}

TEST_F(VocabTest, ANamedPipeIsLearntFrom) {
  const std::string pipe = folder.path("pipe"), command = "cat '" + corpus + "' > '" + pipe + "' &";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ASSERT_EQ(std::system(command.c_str()), 0);
  const Outcome outcome = vocab({"-i", pipe, "-o", folder.path("t.spm"), "--size", "60"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("t.spm: 60 pieces learnt from 216 lines"));
}

TEST_F(VocabTest, SamplesAreDecidedBySeedAndLine) {
  const std::string model = learnt();
  const std::vector<std::string> flags{"encode", "-m", model, "--sample", "0.1", "--seed"};
  const auto sample = [&](const std::string& seed) {
    auto arguments = flags;
    arguments.push_back(seed);
    return vocab(arguments, tiny_corpus()).out;
  };
  EXPECT_EQ(sample("1"), sample("1"));
  EXPECT_NE(sample("1"), sample("2"));
}

TEST_F(VocabTest, ListsEveryPiece) {
  const Outcome outcome = vocab({"list", "-m", learnt({"--byte-fallback"}, "330")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("0\t<pad>\n1\t<unk>\n2\t<s>\n3\t</s>\n4\t<0x00>\n"));
}

TEST_F(VocabTest, PiecesOfTheUserStayAsTheyAreAlsoInBrackets) {
  const std::string model = learnt({"--user-pieces", "[MASK]", "<sep>", "--user-pieces", "[x]"});
  const Outcome listed = vocab({"list", "-m", model});
  EXPECT_THAT(listed.out, HasSubstr("\n4\t[MASK]\n5\t<sep>\n6\t[x]\n"));
}

TEST_F(VocabTest, APieceOfTheUserWithACommaIsRefused) {
  const Outcome refused = vocab({"-i", corpus, "-o", folder.path("t.spm"), "--size", "60", "--user-pieces", "a,b"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("expected a word without commas, got \"a,b\""));
}

TEST_F(VocabTest, LittleTextIsAWarningOrWithExactSizeARefusal) {
  const std::vector<std::string> flags{"-i", corpus, "-o", folder.path("t.spm"), "--size", "8000"};
  const Outcome warned = vocab(flags);
  EXPECT_EQ(warned.code, 0);
  EXPECT_THAT(warned.err, HasSubstr("of the 8000 requested"));
  auto exact = flags;
  exact.push_back("--exact-size");
  expect_refusal(vocab(exact), 2, "corpus.txt: vocabulary size 8000: the text gives at most ");
  expect_refusal(vocab({"-i", corpus, "-o", folder.path("t.spm"), "--size", "9"}), 2, "the text needs at least ");
}

TEST_F(VocabTest, UnreadableAndEmptyInputsAreNamed) {
  const std::string out = folder.path("t.spm"), empty = folder.file("empty.txt", ""),
                    blank = folder.file("blank.txt", "\n \n");
  expect_refusal(vocab({"-i", corpus, folder.path("none"), "-o", out}), 3, "none: cannot be read: No such file");
  expect_refusal(vocab({"-i", folder.path(), "-o", out}), 3, "is a folder, expected a file");
  expect_refusal(vocab({"-i", empty, "-o", out}), 3, "empty.txt: the text to learn a tokenizer from is empty");
  expect_refusal(vocab({"-i", empty, blank, "-o", out}), 3, "blank.txt: the text to learn a tokenizer from is empty");
  const std::string cut = test::gzipped(tiny_corpus()).substr(0, 200);
  expect_refusal(vocab({"-i", folder.file("cut.gz", cut), "-o", out}), 3, "cut.gz: ends in the middle");
  EXPECT_EQ(test::file_bytes(out), "");
}

TEST_F(VocabTest, InvalidUtf8IsCountedOrWithStrictRefused) {
  const std::string bad = folder.file("bad.txt", tiny_corpus() + "Z\xFCrich\n");
  const std::vector<std::string> flags{"-i", bad, "-o", folder.path("t.spm"), "--size", "60"};
  const Outcome counted = vocab(flags);
  EXPECT_EQ(counted.code, 0);
  EXPECT_THAT(counted.err, HasSubstr("bad.txt: 1 of 217 lines are not valid UTF-8 (the first is line 217)"));
  auto strict = flags;
  strict.push_back("--strict");
  expect_refusal(vocab(strict), 3, "bad.txt:217: not valid UTF-8");
  const Outcome encoded = vocab({"encode", "-m", folder.path("t.spm")}, "Z\xFCrich\n");
  EXPECT_EQ(encoded.code, 0);
  EXPECT_THAT(encoded.err, HasSubstr("standard input: 1 of 1 lines are not valid UTF-8"));
}

TEST_F(VocabTest, AMegabyteOfOneLineIsLearntFromAndEncoded) {
  std::string line;
  for (const std::string& part : test::tiny_text()) line += part + ' ';
  while (line.size() < (1U << 20) + 1000) line += line;
  const std::string path = folder.file("long.txt", line + '\n');
  const Outcome outcome = vocab({"-i", path, "-o", folder.path("t.spm"), "--size", "60"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("long.txt: 1 of 1 lines are over 1 MiB"));
  const Outcome encoded = vocab({"encode", "-m", folder.path("t.spm")}, line);
  EXPECT_EQ(encoded.code, 0);
  EXPECT_EQ(std::count(encoded.out.begin(), encoded.out.end(), '\n'), 1);
}

TEST_F(VocabTest, UnwritableOutputsAreFoundBeforeLearning) {
  expect_refusal(vocab({"-i", corpus, "-o", folder.path("none/t.spm")}), 74,
                 "none/t.spm: cannot be written: No such file");
  expect_refusal(vocab({"-i", corpus, "-o", folder.path()}), 74, "is a folder, expected a file name");
  expect_refusal(vocab({"encode", "-m", learnt(), "-o", "/dev/full"}, "text\n"), 74,
                 "/dev/full: cannot be written: No space");
}

TEST_F(VocabTest, AFailureKeepsTheOldTokenizer) {
  const std::string before = test::file_bytes(learnt());
  EXPECT_NE(vocab({"-i", folder.file("empty.txt", ""), "-o", folder.path("t.spm")}).code, 0);
  EXPECT_EQ(test::file_bytes(folder.path("t.spm")), before);
}

TEST_F(VocabTest, OtherFilesAreNoModel) {
  expect_refusal(vocab({"encode", "-m", corpus}), 4, "corpus.txt: not a SentencePiece model");
  expect_refusal(vocab({"list", "-m", folder.path("none.spm")}), 3, "none.spm: cannot be read");
  const std::string bad = folder.file("bad.spm", test::bad_tokenizer());
  for (const char* command : {"encode", "decode", "list"}) {
    expect_refusal(vocab({command, "-m", bad}, "text\n"), 4, bad + test::kBadTokenizer);
  }
}

TEST_F(VocabTest, WhatIsNoPieceOrIdIsNamedWithItsLine) {
  const std::string model = learnt();
  expect_refusal(vocab({"decode", "-m", model}, "a\nxyzzy\n"), 3,
                 "standard input:2: 'xyzzy' is not a piece of the tokenizer");
  expect_refusal(vocab({"decode", "-m", model, "--ids"}, "4 5\n4 99999\n"), 3,
                 "standard input:2: expected ids from 0 to ");
  expect_refusal(vocab({"decode", "-m", model, "--ids"}, "4x\n"), 3, "found '4x'");
}

TEST_F(VocabTest, WrongFlagsEndWithTwo) {
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"--sise", "5"}, {"--kind", "word"}, {"--size", "many"}, {"encode"}}) {
    const Outcome outcome = vocab(flags);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("Run ventris-vocab --help"));
  }
  expect_refusal(vocab({"-o", folder.path("t.spm")}), 2, "--input: missing");
  expect_refusal(vocab({"-i", corpus}), 2, "--output: missing");
  expect_refusal(vocab({"encode", "-m", "x", "--size", "5"}), 2, "--size: cannot be used with encode");
  expect_refusal(vocab({"encode", "-m", "x", "--sample", "nan"}), 2,
                 "--sample: expected a number from 0 to 1000, got nan");
  expect_refusal(vocab({"-i", corpus, "-o", folder.path("t.spm"), "--character-coverage", "0.2"}), 2,
                 "character coverage");
}

TEST_F(VocabTest, ALexiconIsLearntFromTwoFilesColumnsOrATranslationMemory) {
  const std::string model = learnt(), output = folder.path("lexicon");
  std::string columns, units;
  for (const std::string& line : test::tiny_text()) {
    columns += line + '\t' + line + '\n';
    units +=
        "<tu><tuv xml:lang='en'><seg>" + line + "</seg></tuv><tuv xml:lang='de'><seg>" + line + "</seg></tuv></tu>";
  }
  const std::string memory = folder.file("a.tmx", "<tmx>" + units + "</tmx>") + ":en:de";
  const std::string packed = folder.file("corpus.gz", test::gzipped(tiny_corpus()));
  const std::vector<std::vector<std::string>> corpora{{"--train", corpus, corpus},
                                                      {"--train", packed, corpus},
                                                      {"--train-tsv", folder.file("tsv", columns)},
                                                      {"--train-tsv", memory}};
  std::vector<std::string> found;
  for (std::vector<std::string> arguments : corpora) {
    arguments.insert(arguments.begin(), {"lexicon", "-m", model, "-o", output, "--threads", "2"});
    const Outcome outcome = vocab(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("learnt from 216 pairs in "));
    found.push_back(test::file_bytes(output));
  }
  EXPECT_THAT(found[0], StartsWith("VENTRISLEXICON1\n"));
  EXPECT_EQ(found[1], found[0]);
  EXPECT_EQ(found[2], found[0]);
  EXPECT_EQ(found[3], found[0]) << "a translation memory";
}

TEST_F(VocabTest, MistakesWithALexiconAreNamed) {
  const std::string model = learnt(), output = folder.path("lexicon");
  const auto refused = [&](std::vector<std::string> arguments, int code, const std::string& part) {
    arguments.insert(arguments.begin(), {"lexicon", "-m", model, "-o", output, "--quiet"});
    expect_refusal(vocab(arguments), code, part);
    EXPECT_EQ(test::file_bytes(output), "");
  };
  refused({}, 2, "--train: missing");
  refused({"--train", corpus, corpus, "--best", "0"}, 2, "--best: must be from 1 to 1000, got 0");
  refused({"--train", corpus, folder.path("none")}, 3, "none");
  refused({"--train", corpus, folder.file("short", "bread\n")}, 3, "line counts differ");
  refused({"--train-tsv", corpus}, 3, "expected 2");
  expect_refusal(vocab({"lexicon", "-m", model, "-o", output, "--train", corpus, corpus, "--size", "5"}), 2,
                 "--size: cannot be used with lexicon");
}

TEST_F(VocabTest, AStoppedLexiconLeavesNoFile) {
  std::string many;
  for (int i = 0; i < 500; ++i) many += tiny_corpus();
  const std::string corpora = folder.file("many", many), model = learnt();
  std::string said;
  // On a busy machine, a short time can end before the program begins to catch signals.
  for (int seconds = 1; seconds <= 8 && said.empty(); seconds *= 2) {
    const std::string command = "timeout --preserve-status -s INT " + std::to_string(seconds) + " '" +
                                test::program_path("ventris-vocab") + "' lexicon -m '" + model + "' --train '" +
                                corpora + "' '" + corpora + "' --iterations 100 -o '" + folder.path("lexicon") +
                                "' 2> '" + folder.path("err") + "'";
    ASSERT_EQ(WEXITSTATUS(std::system(command.c_str())), 130);
    said = test::file_bytes(folder.path("err"));
  }
  EXPECT_THAT(said, HasSubstr("stopped by a signal"));
  for (const std::string& name : test::entries(folder.path())) EXPECT_THAT(name, Not(HasSubstr("lexicon")));
}

TEST_F(VocabTest, HelpAndVersionGoToStdout) {
  const Outcome help = vocab({"--help"}), version = vocab({"--version"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, HasSubstr("ventris-vocab -i train.en train.de -o tokenizer.spm"));
  for (const char* command : {"encode", "decode", "list", "lexicon"}) {
    const std::string text = vocab({command, "--help"}).out;
    EXPECT_THAT(text, HasSubstr(std::string("Example:\n  ventris-vocab ") + command + " -m "));
    EXPECT_THAT(text, testing::Not(HasSubstr("ventris-vocab -i train.en")));
  }
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, StartsWith("ventris-vocab "));
}

TEST_F(VocabTest, LinesArePackedWhereTheNameSaysSo) {
  const std::string model = learnt({"--byte-fallback"}, "330"), out = folder.path("out.gz");
  for (const char* command : {"encode", "decode", "list"}) {
    EXPECT_EQ(vocab({command, "-m", model, "-o", out}, "a\n").code, 0);
    EXPECT_EQ(test::unpacked(test::file_bytes(out)), vocab({command, "-m", model}, "a\n").out);
  }
}

}  // namespace
}  // namespace ventris
