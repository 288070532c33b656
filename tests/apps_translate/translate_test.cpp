#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "engine/factory.h"
#include "engine/packed_file.h"
#include "model/package.h"
#include "support/bad_tokenizer.h"
#include "support/copy_model.h"
#include "support/folder_entries.h"
#include "support/gzip.h"
#include "support/run_program.h"
#include "support/temp_folder.h"

// The real program over a backend that copies: everything but the model.
namespace ventris {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

class TranslateProgram : public testing::Test {
 protected:
  void SetUp() override { setenv("VENTRIS_BACKEND", COPYING_BACKEND, 1); }

  test::Outcome run(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), {"-m", bundle()});
    return test::run_program("ventris-translate", arguments, input);
  }
  std::string bundle() {
    if (!std::filesystem::exists(folder.path("bundle"))) test::write_copying_bundle(folder.path("bundle"));
    return folder.path("bundle");
  }
  /// Runs a shell's command line in which $T is the program with its model; its exit code.
  int shell(const std::string& line) {
    const std::string program = "T='" + test::program_path("ventris-translate") + " -m " + bundle() + "'; ";
    const std::string script = folder.file("script", program + line);
    return WEXITSTATUS(std::system(("bash '" + script + "' 2> '" + folder.path("err") + "'").c_str()));
  }

  test::TempFolder folder;
};

size_t count_lines(const std::string& text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

TEST_F(TranslateProgram, TranslatesStandardInputLineByLine) {
  const auto outcome = run({}, "The driver likes bread.\r\n\n   \nNobody sees bread.");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "The driver likes bread.\n\n\nNobody sees bread.\n");
  EXPECT_THAT(
      outcome.err,
      MatchesRegex(".*info 4 lines \\(2 empty\\) in [0-9.]+ s, [0-9.,]+ sentences/s, [0-9.,]+ target tokens/s\n"));
}

TEST_F(TranslateProgram, DocumentsInZipFilesAreReadByOtherPrograms) {
  const std::string files = std::string(TEST_PYTHON) + " " VENTRIS_SOURCE "/tests/apps_translate/office_files.py ";
  ASSERT_EQ(shell(files + "make '" + folder.path("") + "'"), 0) << test::file_bytes(folder.path("err"));
  for (const char* name : {"sample.docx", "sample.odt", "sample.epub"}) {
    const std::string input = folder.path(name), output = folder.path("out");
    const auto outcome = run({"-i", input, "-o", output, "--split-sentences", "--language", "en"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(shell(files + "check '" + input + "' '" + output + "'"), 0) << test::file_bytes(folder.path("err"));
    EXPECT_THAT(outcome.err, Not(HasSubstr("what its ending says")));
    const auto text = run({"-i", input, "-o", folder.path("out.txt")});
    EXPECT_THAT(text.err, HasSubstr("out.txt will be a document in the format of the input, " + input));
    std::filesystem::rename(input, folder.path("sample.zip"));
    const auto renamed = run({"-i", folder.path("sample.zip"), "-o", folder.path("again")});
    EXPECT_THAT(renamed.err, HasSubstr("because of its content"));
  }
}

TEST_F(TranslateProgram, DamagedZipFilesAreErrorsInTheData) {
  const auto cut = run({"-i", folder.file("a.docx", "PK\x03\x04 and no more"), "-o", folder.path("out")});
  EXPECT_EQ(cut.code, 3);
  EXPECT_THAT(cut.err, HasSubstr("a.docx: damaged: not a whole zip file"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
  const auto standard_input = run({"--markup", "epub"}, "text");
  EXPECT_EQ(standard_input.code, 3);
  EXPECT_THAT(standard_input.err, HasSubstr("not a zip file"));
  EXPECT_EQ(run({"-i", folder.file("b.odt", ""), "-o", folder.path("out")}).code, 3);
  EXPECT_THAT(run({"--markup", "epub"}, "").err, HasSubstr("standard input: is empty; expected a zip file"));
  EXPECT_EQ(run({"--markup", "docx", "--input-format", "jsonl"}).code, 2);
}

TEST_F(TranslateProgram, QuietSaysNothing) { EXPECT_EQ(run({"--quiet"}, "bread\n").err, ""); }

TEST_F(TranslateProgram, NothingInNothingOut) {
  const auto outcome = run({});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "");
}

TEST_F(TranslateProgram, ReadsPackedFilesAndWritesFiles) {
  const std::string input = folder.file("in.gz", test::gzipped("bread\nNobody\n")), output = folder.path("out");
  const auto outcome = run({"-i", input, "-o", output, "--threads", "2", "--mini-batch", "1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(test::file_bytes(output), "bread\nNobody\n");
}

TEST_F(TranslateProgram, InvalidBytesAreReplacedAndCountedOrRefused) {
  const std::string input = "bread\n\xff\xc0\nNobody\n";
  const auto lenient = run({}, input);
  EXPECT_EQ(lenient.code, 0);
  EXPECT_EQ(count_lines(lenient.out), 3U);
  EXPECT_THAT(lenient.err, HasSubstr("1 of 3 lines are not valid UTF-8 (the first is line 2)"));
  const auto strict = run({"--strict"}, input);
  EXPECT_EQ(strict.code, 3);
  EXPECT_THAT(strict.err, HasSubstr("standard input:2: not valid UTF-8"));
}

TEST_F(TranslateProgram, AnEndlessLineIsCutAndCounted) {
  std::string endless;
  while (endless.size() < (1 << 20) + 5000) endless += "bread and the bridge ";
  const auto outcome = run({}, "bread\n" + endless + "\nNobody\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(count_lines(outcome.out), 3U);
  EXPECT_THAT(outcome.err, HasSubstr("1 of 3 lines are over 1 MiB"));
  EXPECT_THAT(outcome.err, HasSubstr("1 line had more tokens than allowed and was cut (first: line 2)"));
}

TEST_F(TranslateProgram, NastyLinesComeOutAsLines) {
  std::string input;
  for (const char* line : {"\x01\x02", "\x7f", "a\tb", "\u200f\u0645\u0631", "\U0001F469\u200D\U0001F4BB",
                           "</s> <s> <unk> <pad>", "|||", "\u2028", "a\rb", "\u0085", "......", "bread\vbread"}) {
    input += std::string(line) + "\n";
  }
  input += std::string("a\0b\n", 4);
  for (const char* workers : {"1", "3"}) {
    const auto outcome = run({"--threads", workers, "--mini-batch", "2"}, input);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(count_lines(outcome.out), count_lines(input));
  }
}

TEST_F(TranslateProgram, NBestListsAreInTheMosesFormat) {
  const auto outcome = run({"-b", "4", "--n-best", "3"}, "bread\n\nNobody\n");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(count_lines(outcome.out), 3U + 1U + 3U);
  EXPECT_THAT(outcome.out, HasSubstr("0 ||| bread ||| F0= -"));
  EXPECT_THAT(outcome.out, HasSubstr("1 |||  ||| F0= 0.000000 ||| 0.000000\n"));
}

TEST_F(TranslateProgram, WordScoresAndAlignmentsStandBehindTheText) {
  const auto outcome = run({"--word-scores", "--alignment"}, "Nobody sees bread.\n\n");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, MatchesRegex("Nobody sees bread. \\|\\|\\| 0-0 1-1 2-2 \\|\\|\\| WordScores=( -[0-9.]+)+\n"
                                        " \\|\\|\\|  \\|\\|\\| WordScores=\n"));
}

TEST_F(TranslateProgram, JsonInJsonOut) {
  const std::string input = R"({"id": "a", "text": "Nobody sees bread.", "from": {"page": 3}})"
                            "\n"
                            R"({"text": ""})"
                            "\n";
  const auto outcome = run({"--input-format", "jsonl", "--alignment", "-b", "4", "--n-best", "2"}, input);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(count_lines(outcome.out), 2U);
  for (const char* part : {R"({"id": "a","text": "Nobody sees bread.","from": {"page": 3},"translation":)",
                           R"("alignment":"0-0 1-1 2-2")", R"("n_best":[{"translation":"Nobody sees bread.")",
                           R"("truncated":false)", R"("repetition":false)", R"("seconds":)", R"("id":1)"}) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
  const auto bad = run({"--input-format", "jsonl"}, input + "{\"text\": 3}\n");
  EXPECT_EQ(bad.code, 3);
  EXPECT_THAT(bad.err, HasSubstr("standard input:3: expected the text to translate under \"text\""));
}

TEST_F(TranslateProgram, PhrasesAreRequiredAndForbidden) {
  const std::string input = R"({"text": "Nobody sees bread.", "constraints": ["umbrella"], "forbidden": ["bread"]})"
                            "\n"
                            R"({"text": "Nobody sees bread."})"
                            "\n";
  const auto outcome = run({"--input-format", "jsonl", "--constraints", "-b", "5"}, input);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string first = outcome.out.substr(0, outcome.out.find('\n'));
  EXPECT_THAT(first, MatchesRegex(R"(.*"forbidden": \["bread"\],"id":0,"translation":"[^"]*umbrella[^"]*".*)"));
  EXPECT_THAT(first, HasSubstr("\"unmet\":[]"));
  EXPECT_THAT(outcome.out, HasSubstr("\"translation\":\"Nobody sees bread.\""));
  const std::string terms = folder.file("terms.tsv", "bread\tumbrella\n");
  EXPECT_THAT(run({"--terms", terms, "-b", "5"}, "Nobody sees bread.\n").out, HasSubstr("umbrella"));
  EXPECT_THAT(run({"--terms", terms, "-b", "4"}, "bread\n").err, HasSubstr("terms: with a beam of 4, "));
  EXPECT_THAT(run({"--terms", terms, "-b", "5"}, "bread\n").err, testing::Not(HasSubstr("with a beam of")));
  const auto bad = run({"--terms", folder.file("bad.tsv", "bread\n")}, "bread\n");
  EXPECT_EQ(bad.code, 3);
  EXPECT_THAT(bad.err, HasSubstr("bad.tsv:1"));
}

TEST_F(TranslateProgram, AnOutputThatIsASettingsFileOrAListIsRefused) {
  const std::string settings = folder.file("c.json", "{\"beam_size\": 1}"), list = folder.file("list", "x\n");
  for (const auto& [flag, file] : {std::pair("-c", settings), {"--placeholders", list}, {"--terms", list}}) {
    const std::string before = test::file_bytes(file);
    const auto outcome = run({flag, file, "-o", file}, "bread\n");
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("is also an input"));
    EXPECT_EQ(test::file_bytes(file), before);
  }
}

TEST_F(TranslateProgram, UnknownWordsAreCopied) {
  const std::string input = "Nobody sees \u65e5\u672c .\n";
  EXPECT_EQ(run({"--allow-unk", "--replace-unk"}, input).out, input);
  EXPECT_THAT(run({"--allow-unk"}, input).out, Not(HasSubstr("\u65e5")));
  const auto outcome = run({"--replace-unk"}, input);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("add --allow-unk"));
}

TEST_F(TranslateProgram, TheLikestOfManyIsChosen) {
  const std::vector<std::string> flags{"--mbr", "chrf", "--sampling", "--candidates", "12", "--seed", "5"};
  const auto outcome = run(flags, "The driver likes bread.\nNobody sees bread.\n");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "The driver likes bread.\nNobody sees bread.\n");
  auto listing = flags;
  listing.insert(listing.end(), {"--n-best", "2"});
  EXPECT_THAT(run(listing, "bread\n").out, HasSubstr(" MBR= "));
  EXPECT_EQ(run({"--mbr", "bleu", "-b", "4", "--coverage-penalty", "0.1"}, "Nobody sees bread.\n").code, 0);
}

TEST_F(TranslateProgram, RepetitionCanBeForbidden) {
  const std::string line = "bread bread bread bread bread bread bread\n";
  const auto plain = run({"--format", "jsonl"}, line);
  EXPECT_THAT(plain.out, HasSubstr("\"repetition\":true"));
  EXPECT_THAT(plain.err, HasSubstr("1 translation repeats itself over and over"));
  EXPECT_THAT(run({"--format", "jsonl", "--no-repeat-ngram", "3"}, line).out, HasSubstr("\"repetition\":false"));
  EXPECT_NE(run({"--repetition-penalty", "50"}, line).out, line);
}

TEST_F(TranslateProgram, ADocumentOnStandardInputIsToldOf) {
  EXPECT_THAT(run({}, "1\n00:00:01,000 --> 00:00:02,000\nNobody\n").err,
              HasSubstr("standard input does not look like lines of text, but is read as such; give --markup srt"));
  EXPECT_THAT(run({}, "{\"text\": \"Nobody\"}\n").err, HasSubstr("give --input-format jsonl"));
  EXPECT_THAT(run({}, "Nobody\n1\n2 --> 3\n").err, testing::Not(HasSubstr("look like")));
  EXPECT_THAT(run({"--markup", "none"}, "{\"text\": \"Nobody\"}\n").err, testing::Not(HasSubstr("look like")));
  EXPECT_THAT(run({"--markup", "srt"}, "1\n00:00:01,000 --> 00:00:02,000\nNobody\n").err,
              testing::Not(HasSubstr("look like")));
}

TEST_F(TranslateProgram, LinesInCapitalsAreOrdinarySentencesUnlessTheyAreNot) {
  const std::string line = "THE OLD MAN CARRIES BREAD.\n";
  EXPECT_EQ(run({}, line).out, line) << "the model copies its source";
  EXPECT_NE(run({"--recase", "none"}, line).out, line) << "its tokenizer does not know the capitals";
  EXPECT_THAT(run({"--recase", "all"}, line).err, HasSubstr("recase: expected one of none, capitals, titles"));
}

TEST_F(TranslateProgram, DocumentsKeepWhatIsNotTranslated) {
  const std::string text = "  Nobody sees bread.  The driver likes bread.\n\n";
  const auto warned = run({"--language", "en"}, text);
  EXPECT_THAT(warned.err, HasSubstr("1 line has several sentences"));
  const auto split = run({"--split-sentences", "--language", "en"}, text);
  EXPECT_EQ(split.out, text);
  EXPECT_THAT(split.err, testing::Not(HasSubstr("several sentences")));
  EXPECT_EQ(run({"--no-guards"}, text).err.find("warning"), std::string::npos);
  EXPECT_THAT(run({"--placeholders", "builtin"}, "Nobody sees {0} bread.\n").out, HasSubstr("{0}"));
  EXPECT_THAT(run({"--markup", "html", "--split-sentences"}, "<p>Nobody sees <b>bread</b>.\n").out,
              testing::AllOf(HasSubstr("<p>"), HasSubstr("<b>"), HasSubstr("</b>")));
  EXPECT_EQ(run({"--markup", "markdown"}, "## Nobody\n\n> sees *bread*\n").out, "## Nobody\n\n> sees *bread*\n");
  const auto latin =
      run({"--markup", "xml"}, "<?xml version='1.0' encoding='iso-8859-1'?>\n<a>bread <b>\xFC</b></a>\n");
  EXPECT_EQ(latin.out, "<?xml version='1.0' encoding='UTF-8'?>\n<a>bread <b>\u00FC</b></a>\n");
  EXPECT_THAT(latin.err, HasSubstr("standard input: converted from windows-1252 to UTF-8"));
  EXPECT_EQ(run({"--markup", "html"}, "<meta charset=klingon>\xFC").code, 3);
}

TEST_F(TranslateProgram, FilesKeepEveryByteThatIsNoText) {
  const std::string film =
      "\xEF\xBB\xBF"
      "1\r\n00:00:01,000 --> 00:00:02,000\r\nThe driver\r\nlikes bread.";
  const std::string path = folder.file("film.srt", film), packed = folder.file("film.SRT.gz", test::gzipped(film));
  EXPECT_EQ(run({"-i", path}).out, film) << "the ending says the format";
  EXPECT_EQ(run({"-i", packed}).out, film);
  EXPECT_EQ(run({"--markup", "srt"}, film).out, film);
  EXPECT_EQ(run({"--markup", "srt"}, "").out, "");
  const auto outcome = run({"-i", path, "-o", folder.path("out.srt"), "--word-scores"});
  EXPECT_THAT(test::file_bytes(folder.path("out.srt")), HasSubstr(" ||| WordScores="));
  const auto lines =
      run({"--markup", "srt", "--input-format", "jsonl"}, R"({"text": "00:00:01,000 --> 00:00:02,000\nNobody"})"
                                                          "\n");
  EXPECT_THAT(lines.out, HasSubstr(R"("translation":"00:00:01,000 --> 00:00:02,000\nNobody")"));
}

TEST_F(TranslateProgram, TheEndingOfANameChoosesAFormatOnlyWithANote) {
  const std::string note = "because of its ending; --markup none reads each line as a text";
  const std::string list = folder.file("list.md", "Nobody\nsees bread\n"), broken = folder.file("p.xml", "a & b\n");
  EXPECT_THAT(run({"-i", list}).err, HasSubstr("is read as markdown, " + note));
  EXPECT_THAT(run({"-i", list, "--markup", "markdown"}).err, Not(HasSubstr(note)));
  EXPECT_THAT(run({"-i", broken}).err, HasSubstr(note));
  EXPECT_EQ(run({"-i", broken, "--markup", "none"}).code, 0);
}

TEST_F(TranslateProgram, KeysThatNoTextHasAreSaid) {
  const std::string path = folder.file("a.json", R"({"title": "bread"})");
  EXPECT_THAT(run({"-i", path, "--translate-keys", "titel"}).err, HasSubstr("no text has one of the keys titel"));
  EXPECT_THAT(run({"-i", path, "--translate-keys", "title"}).err, Not(HasSubstr("no text has")));
}

TEST_F(TranslateProgram, FilesThatAreNotWhatTheyShouldBeAreNamed) {
  const auto message = [&](const std::string& name, const std::string& content, int code) {
    const auto outcome = run({"-i", folder.file(name, content)});
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_THAT(message("a.srt", "1\n00:00:01,000 --> 00:00:02\nbread\n\n2\n00:00:03,000 -> 4\nNobody\n", 3),
              HasSubstr("a.srt: line 6: expected the times of a subtitle"));
  EXPECT_THAT(message("b.srt",
                      std::string("\xFF\xFE"
                                  "1\0\n\0",
                                  6),
                      3),
              HasSubstr("b.srt: line 1: the file is UTF-16"));
  EXPECT_THAT(message("c.pdf", "bread\n", 2), HasSubstr("c.pdf is a document in PDF, which is not read"));
}

TEST_F(TranslateProgram, FlagsWithoutAValueMeanTheUsualOne) {
  const auto dumped = run({"--dump-config", "-n", "--sampling", "--strict", "--allow-unk"});
  EXPECT_EQ(dumped.code, 0) << dumped.err;
  for (const char* part : {"\"normalize\": 1.0", "\"sampling\": true", "\"strict\": true", "\"allow_unk\": true"}) {
    EXPECT_THAT(dumped.out, HasSubstr(part));
  }
  EXPECT_THAT(run({"--dump-config", "-n", "0.6"}).out, HasSubstr("\"normalize\": 0.6"));
}

TEST_F(TranslateProgram, FilesBeatDefaultsAndFlagsBeatFiles) {
  const std::string first = folder.file("a.json", R"({"beam_size": 3, "seed": 11, "min_length": 2})");
  const std::string second = folder.file("b.json", R"({"seed": 12, "min_length": 4})");
  const auto dumped = run({"--dump-config", "-c", first, "-c", second, "--min-length", "6"});
  EXPECT_EQ(dumped.code, 0) << dumped.err;
  for (const char* part : {"\"beam_size\": 3", "\"seed\": 12", "\"min_length\": 6"})
    EXPECT_THAT(dumped.out, HasSubstr(part));
  EXPECT_THAT(run({"--dump-config"}).out, HasSubstr("\"beam_size\": 2"));  // the model's own
  const std::string all = folder.file("all.json", dumped.out);
  EXPECT_EQ(run({"--dump-config", "-c", all}).out, dumped.out);
}

TEST_F(TranslateProgram, SeveralModelsTranslateAsAnEnsemble) {
  const std::string text = "The driver likes bread.\n\nNobody sees bread.\n";
  const std::vector<std::string> flags{"--format", "moses", "--alignment", "--word-scores", "--n-best", "2"};
  const auto with = [&](std::vector<std::string> added) {
    added.insert(added.end(), flags.begin(), flags.end());
    const auto outcome = run(added, text);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  const std::string expected = with({});
  EXPECT_EQ(with({"-m", bundle()}), expected);
  EXPECT_EQ(with({"--model", bundle(), "--threads", "2", "--mini-batch", "1"}), expected);
  EXPECT_EQ(with({"-m", bundle(), "-m", bundle(), "--weights", "0.5,1,0.5"}), expected);
  EXPECT_EQ(with({"-m", bundle(), "--weights", "0.5", "--weights", "0.5", "--combine", "probs"}), expected);
  EXPECT_EQ(count_lines(with({"-m", bundle(), "--combine", "log-probs"})), count_lines(expected));
}

TEST_F(TranslateProgram, AnEnsembleMayComeFromASettingsFile) {
  const std::string both = R"({"model": [")" + bundle() + R"(", ")" + bundle() + R"("], "weights": [2, 1]})";
  const std::string file = folder.file("both.json", both);
  const auto outcome = test::run_program("ventris-translate", {"-c", file}, "bread\n");
  EXPECT_EQ(outcome.out, "bread\n") << outcome.err;
  EXPECT_THAT(test::run_program("ventris-translate", {"-c", file, "--dump-config"}).out, HasSubstr("\"weights\": ["));
  const auto one = run({"-c", file}, "bread\n");  // the flag beats the list of the file, but not its weights
  EXPECT_EQ(one.code, 2);
  EXPECT_THAT(one.err, HasSubstr("weights: expected one for each model (1), got 2"));
}

TEST_F(TranslateProgram, ModelsThatCannotBeAnEnsembleAreExitCode4) {
  model::Package package = test::copying_package();
  package.source_spm = package.target_spm = test::tiny_tokenizer(text::TokenizerKind::kBpe).bytes();
  const auto size = text::Tokenizer(package.source_spm, "bpe").size();
  test::shape_of(package.config).src_vocab = test::shape_of(package.config).tgt_vocab = size;
  const std::string other = test::write_zero_bundle(folder.path("bpe"), package);
  const auto outcome = run({"-m", other}, "bread\n");
  EXPECT_EQ(outcome.code, 4);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr(other + ": its source tokenizer differs from that of " + bundle()));
  EXPECT_EQ(run({"-m", folder.path("none")}, "bread\n").code, 4);
}

TEST_F(TranslateProgram, TheUsersMistakesAreNamedWithExitCode2) {
  const auto expect_mistake = [&](const std::vector<std::string>& arguments, const char* part) {
    const auto outcome = run(arguments, "bread\n");
    EXPECT_EQ(outcome.code, 2) << part;
    EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_EQ(outcome.out, "");
  };
  expect_mistake({"--beam-sise", "3"}, "did you mean '--beam-size'?");
  expect_mistake({"--beam-size", "zero"}, "--beam-size");
  expect_mistake({"--beam-size", "0"}, "beam_size: must be from 1");
  expect_mistake({"--n-best", "3"}, "n_best: must be at most beam_size (2), got 3");
  expect_mistake({"--n-best", "200"}, "n_best: must be at most beam_size (2), got 200");
  expect_mistake({"--n-best", "2000"}, "n_best: must be from 1 to 1024, got 2000");
  expect_mistake({"-b", "100000"}, "beam_size: must be from 1 to 256, got 100000");
  expect_mistake({"--maxi-batch", "100001"}, "maxi_batch: must be from 1 to 100000, got 100001");
  expect_mistake({"--top-k", "3"}, "add --sampling");
  expect_mistake({"--alignment", "--alignment-layer", "3"},
                 "alignment_layer: the model has 2 layers with attention to the source, got 3");
  expect_mistake({"--alignment", "--alignment-head", "3"}, "alignment_head: the model has 2 heads, got 3");
  expect_mistake({"--alignment-head", "best"}, "alignment_head: expected auto, mean or a number from 1");
  expect_mistake({"--mbr", "ter"}, "mbr: expected one of none, chrf, bleu");
  expect_mistake({"--candidates", "2"}, "candidates: has an effect only with --mbr");
  expect_mistake({"--mbr", "chrf", "--candidates", "3"}, "candidates: must be from n_best (1) to beam_size, 2, got 3");
  expect_mistake({"--coverage-penalty", "-1"}, "coverage_penalty: must be from 0 (none) to 100, got -1");
  expect_mistake({"--no-repeat-ngram", "-1"}, "no_repeat_ngram: must be 0 (off) or more, got -1");
  expect_mistake({"--repetition-penalty", "0.9"}, "repetition_penalty: must be from 1 (none) to 100, got 0.9");
  expect_mistake({"--language", "english"}, "language: expected the code of a language");
  expect_mistake({"--split-sentences", "--n-best", "2"}, "n_best: must be 1 with split_sentences");
  expect_mistake({"--markup", "html", "--alignment"}, "alignment: cannot be combined with placeholders and markup");
  expect_mistake({"--markup", "rtf"}, "markup: expected one of none, html, markdown, android, xliff, xml, srt");
  expect_mistake({"--placeholders", "builtin", "--force-prefix", "file"},
                 "force_prefix: cannot be combined with placeholders and markup");
  expect_mistake({"--placeholders", "builtin,,"}, "placeholders: expected builtin, numbers or a file");
  expect_mistake({"--constraints"}, "constraints: are read from JSON lines; add --input-format jsonl");
  expect_mistake({"--terms", folder.file("terms", "a\tb\n"), "-b", "1"}, "need a beam search; give --beam-size 5");
  expect_mistake({"--input-format", "xml"}, "input_format: expected one of text, jsonl");
  expect_mistake({"--threads", "0"}, "threads: must be from 1 to 1024, got 0");
  expect_mistake({"--threads", "100000"}, "threads: must be from 1 to 1024, got 100000");
  expect_mistake({"--seed", "-1"}, "--seed: expected a whole number from 0 to 18446744073709551615");
  expect_mistake({"--force-prefix", "-"}, "standard input can be only one of them");
  expect_mistake({"--format", "xml"}, "format");
  expect_mistake({"-m", bundle(), "--weights", "1"}, "weights: expected one for each model (2), got 1");
  expect_mistake({"-m", bundle(), "--weights", "1,-1"}, "weights: each must be a number over 0, got -1");
  expect_mistake({"-m", bundle(), "--weights", "1,nan"}, "weights: each must be a number over 0, got nan");
  expect_mistake({"-m", bundle(), "--weights", "1,x"}, "--weights");
  expect_mistake({"-m", ""}, "--model: expected a path, got an empty one");
  expect_mistake({"--combine", "mean"}, "combine: expected one of probs, log-probs; got 'mean'");
  expect_mistake({"-m", bundle(), "-o", bundle() + "/out"}, "is a file of the model");
  expect_mistake({"--device", "cuda"}, "device cuda: this backend copies on the CPU only");
  expect_mistake({"-c", folder.file("c.json", R"({"beam_sise": 3})")}, "did you mean 'beam_size'?");
  expect_mistake({"-c", folder.file("c.json", R"({"a\u001b\nb": 3})")}, R"(a\x1b\nb: unknown setting)");
  expect_mistake({"-c", folder.file("d.json", R"({"input": 3})")}, "input");
  expect_mistake({"-c", folder.file("e.json", "{")}, "e.json");
  expect_mistake({"-c", folder.path("none.json")}, "none.json");
  const auto without = test::run_program("ventris-translate", {}, "bread\n");
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("give -m BUNDLE"));
}

TEST_F(TranslateProgram, AMissingBackendIsExitCode2) {
  setenv("VENTRIS_BACKEND", folder.path("none.so").c_str(), 1);
  const auto outcome = run({}, "bread\n");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("the translation backend was not found"));
  EXPECT_EQ(run({"-i", folder.path("missing")}).code, 3);  // files are looked at first
  EXPECT_EQ(run({"-o", folder.path("no/folder")}).code, 74);
}

TEST_F(TranslateProgram, InputsThatCannotBeReadAreExitCode3) {
  EXPECT_EQ(run({"-i", folder.path("missing")}).code, 3);
  EXPECT_EQ(run({"-i", folder.path()}).code, 3);
  const std::string packed = test::gzipped("bread\nNobody\n");
  EXPECT_EQ(run({"-i", folder.file("cut.gz", packed.substr(0, packed.size() - 6))}).code, 3);
  const auto outcome = run({"--force-prefix", folder.file("prefixes", "Nobody\n")}, "bread\nbread\n");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("line counts differ"));
}

TEST_F(TranslateProgram, ModelsThatAreNoneAreExitCode4) {
  const auto translate = [](const std::string& model) {
    return test::run_program("ventris-translate", {"-m", model}, "bread\n");
  };
  EXPECT_EQ(translate(folder.path("missing")).code, 4);
  EXPECT_EQ(translate(folder.file("text.pt", "no archive")).code, 4);
  EXPECT_EQ(translate(folder.path()).code, 4);
  for (const char* name : {"config.json", "model.safetensors", "source.spm", "MANIFEST"}) {
    const std::string path = bundle() + "/" + name, bytes = test::file_bytes(path);
    std::string flipped = bytes;
    flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 4);
    for (const std::string& bad : {flipped, bytes.substr(0, bytes.size() - 1), std::string()}) {
      std::filesystem::remove(path);
      folder.file(std::string("bundle/") + name, bad);
      const auto outcome = translate(bundle());
      EXPECT_EQ(outcome.code, 4) << name;
      EXPECT_EQ(outcome.out, "");
    }
    folder.file(std::string("bundle/") + name, bytes);
  }
  EXPECT_EQ(translate(bundle()).code, 0);
}

TEST_F(TranslateProgram, ATokenizerThatCannotBeTrustedIsExitCode4) {
  model::Package package = test::copying_package();
  package.source_spm = test::bad_tokenizer();
  model::write_bundle(folder.path("bad"), package, test::file_bytes(bundle() + "/model.safetensors"));
  const auto outcome = test::run_program("ventris-translate", {"-m", folder.path("bad")}, "bread\n");
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err, HasSubstr(std::string("bad: source.spm") + test::kBadTokenizer));
}

TEST_F(TranslateProgram, OutputsThatCannotBeWrittenAreExitCode74) {
  EXPECT_EQ(run({"-o", "/dev/full"}, "bread\n").code, 74);
  EXPECT_EQ(run({"-o", folder.path("no/folder")}, "bread\n").code, 74);
  EXPECT_EQ(shell("echo bread | $T > /dev/full"), 74);
  EXPECT_THAT(test::file_bytes(folder.path("err")), HasSubstr("standard output: cannot be written"));
  EXPECT_EQ(shell("echo bread | $T >&-"), 74);
}

TEST_F(TranslateProgram, AReaderThatHasEnoughEndsItSilently) {
  EXPECT_EQ(shell("yes bread | head -50000 | $T --maxi-batch 10 | head -1; exit ${PIPESTATUS[2]}"), 141);
  EXPECT_EQ(test::file_bytes(folder.path("err")), "");
  EXPECT_EQ(shell("mkfifo '" + folder.path("out") + "'; head -1 '" + folder.path("out") +
                  "' > /dev/null & yes bread | " + "head -50000 | $T --maxi-batch 10 -o '" + folder.path("out") + "'"),
            141);
  EXPECT_EQ(test::file_bytes(folder.path("err")), "");
  EXPECT_EQ(shell("$T --help | true; exit ${PIPESTATUS[0]}") % 141, 0);  // 0 if the text fits into the pipe
  EXPECT_EQ(test::file_bytes(folder.path("err")), "");
}

TEST_F(TranslateProgram, BlankLinesAmongJsonLinesAreSkippedAndHalvesOfSurrogatesReplaced) {
  const auto outcome = run({"--input-format", "jsonl", "--format", "text"},
                           "{\"text\": \"bread\"}\n\n{\"text\": \"The bridge \\ud800\"}\n \n");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(count_lines(outcome.out), 2U);
  EXPECT_THAT(outcome.err,
              HasSubstr("standard input: 2 blank lines were skipped (lines 2, 4); expected one JSON object"));
  EXPECT_THAT(outcome.err, HasSubstr("standard input: 1 line has half a surrogate pair, such as \\ud800, which became "
                                     "U+FFFD (line 3)"));
}

TEST_F(TranslateProgram, VersionNamesTheBackend) {
  const auto outcome = test::run_program("ventris-translate", {"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("copying backend"));
  setenv("VENTRIS_BACKEND", "/none.so", 1);
  EXPECT_THAT(test::run_program("ventris-translate", {"--version"}).out, HasSubstr("not found"));
}

TEST_F(TranslateProgram, HelpNamesTheFlagsInGroups) {
  const auto outcome = test::run_program("ventris-translate", {"--help"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* part :
       {"--beam-size", "--normalize", "--n-best", "--force-prefix", "--mini-batch", "Search", "Speed"}) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
}

TEST_F(TranslateProgram, AShortlistOfALexiconIsUsed) {
  const std::string lexicon = folder.path("lexicon"), text = folder.file("text", "Nobody sees bread.\nbread\n");
  const auto made =
      test::run_program("ventris-vocab", {"lexicon", "-m", bundle(), "--train", text, text, "-o", lexicon, "--quiet"});
  ASSERT_EQ(made.code, 0) << made.err;
  const auto outcome = run({"--shortlist", lexicon, "--shortlist-best", "5", "--shortlist-first", "3", "-b", "4",
                            "--n-best", "4", "-i", text});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(count_lines(outcome.out), 8U);
  const auto refused = [&](const std::vector<std::string>& arguments, int code, const std::string& part) {
    const auto found = run(arguments, "bread\n");
    EXPECT_EQ(found.code, code);
    EXPECT_THAT(found.err, HasSubstr(part));
  };
  refused({"--shortlist-best", "5"}, 2, "add --shortlist FILE");
  refused({"--shortlist", lexicon, "-o", lexicon}, 2, "is the file of --shortlist; give another file");
  refused({"--shortlist", lexicon, "--backend", "torch"}, 2, "shortlist: the backend torch always computes");
  refused({"--shortlist", text}, 4, "text: is not a lexicon");
}

/// The program with its input and output on pipes of ours.
class Conversation {
 public:
  explicit Conversation(std::vector<std::string> arguments) {
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0) std::abort();
    std::string path = test::program_path("ventris-translate");
    std::vector<char*> argv{path.data()};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    child_ = fork();
    if (child_ == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      for (const int descriptor : {in[0], in[1], out[0], out[1]}) close(descriptor);
      execv(path.c_str(), argv.data());
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    in_ = in[1];
    out_ = out[0];
  }

  void say(const std::string& text) {
    ASSERT_EQ(write(in_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  /// What comes until a line end, or nothing after a while.
  std::string answer() {
    std::string text;
    pollfd waiting{out_, POLLIN, 0};
    for (char c = 0; c != '\n' && poll(&waiting, 1, 20'000) == 1 && read(out_, &c, 1) == 1;) text += c;
    return text;
  }

  void stop(int signal) { kill(child_, signal); }

  /// Until the program has read so much from anywhere, or has ended.
  void wait_until_read(size_t bytes) const {
    std::string word;
    for (size_t read = 0; read < bytes;) {
      std::ifstream account("/proc/" + std::to_string(child_) + "/io");  // begins "rchar: NUMBER"
      if (!(account >> word >> read)) break;
    }
  }

  int end() {
    close(in_);
    int status = 0;
    waitpid(child_, &status, 0);
    close(out_);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t child_ = -1;
  int in_ = -1, out_ = -1;
};

TEST_F(TranslateProgram, APackedModelThatBecomesShorterWhileItIsInUseIsNamed) {
  const model::Bundle opened = model::read_bundle(bundle());
  const std::string packed = folder.path("packed"), file = packed + "/model.packed", out = folder.path("out");
  model::write_packed(packed, opened.package, engine::pack_bundle(opened, engine::Precision::kF32));
  const std::string script = "(echo bread; for i in {1..1000}; do [ -s '" + out + "' ] && break; sleep 0.02; done; " +
                             "truncate -s 0 '" + file + "'; echo bread) | '" + test::program_path("ventris-translate") +
                             "' -m '" + packed + "' --quiet > '" + out + "'";
  EXPECT_EQ(shell(script), 4);
  EXPECT_EQ(count_lines(test::file_bytes(out)), 1U);
  EXPECT_THAT(test::file_bytes(folder.path("err")),
              MatchesRegex("ventris-translate: .*/packed/model.packed: the file became shorter, [^\n]*\n"));
}

TEST_F(TranslateProgram, AnswersEachLineOfAConversationAtOnce) {
  Conversation conversation({"-m", bundle(), "--quiet"});
  for (const char* line : {"bread\n", "\n", "Nobody\n"}) {
    conversation.say(line);
    EXPECT_EQ(conversation.answer(), line);
  }
  EXPECT_EQ(conversation.end(), 0);
}

TEST_F(TranslateProgram, ASignalStopsItAfterWhatIsDone) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}) {
    Conversation conversation({"-m", bundle(), "--quiet"});
    conversation.say("bread\n");
    EXPECT_EQ(conversation.answer(), "bread\n");
    conversation.stop(signal);  // while it waits for the next line
    EXPECT_EQ(conversation.answer(), "");
    EXPECT_EQ(conversation.end(), 128 + signal);
  }
}

TEST_F(TranslateProgram, ASignalThatItsParentHasItIgnoreDoesNotStopIt) {
  std::signal(SIGINT, SIG_IGN);  // as a shell does for a job in the background
  Conversation conversation({"-m", bundle(), "--quiet"});
  std::signal(SIGINT, SIG_DFL);
  for (const char* line : {"bread\n", "Nobody\n"}) {
    conversation.say(line);
    EXPECT_EQ(conversation.answer(), line);
    conversation.stop(SIGINT);
  }
  EXPECT_EQ(conversation.end(), 0);
}

/// Runs the program with Ctrl-C at so many answers of the model.
class StoppedTranslateProgram : public TranslateProgram {
 protected:
  test::Outcome run_stopped(int at, std::vector<std::string> arguments) {
    setenv("COPYING_BACKEND_STOP", std::to_string(at).c_str(), 1);
    const std::string input = folder.file("in", lines);
    if (std::ranges::find(arguments, "--mini-batch") == arguments.end()) {
      arguments.insert(arguments.end(), {"--mini-batch", "1"});
    }
    arguments.insert(arguments.end(), {"-i", input, "--quiet"});
    const auto outcome = run(arguments);
    unsetenv("COPYING_BACKEND_STOP");
    EXPECT_EQ(outcome.code, 128 + SIGINT);
    return outcome;
  }
  /// What the files of this name, some beginning of the input, have in them.
  size_t lines_kept(const std::string& bytes) const {
    EXPECT_EQ(bytes, lines.substr(0, bytes.size()));
    return count_lines(bytes);
  }

  const std::string line = "The driver likes bread.\n";
  std::string lines;
  std::string output = folder.path("out");

 private:
  void SetUp() override {
    TranslateProgram::SetUp();
    for (int i = 0; i < 100; ++i) lines += line;
  }
};

TEST_F(StoppedTranslateProgram, KeepsTheFinishedLinesBesideTheOutputFile) {
  const std::string err = run_stopped(300, {"-o", output}).err;
  const size_t kept = lines_kept(test::file_bytes(output + ".partial"));
  EXPECT_GT(kept, 0U);
  EXPECT_LT(kept, 100U);
  EXPECT_EQ(err, "ventris-translate: " + output + ": not written: stopped by a signal after line " +
                     std::to_string(kept) + "; what was finished is in " + output +
                     ".partial; --resume goes on from there\n");
  EXPECT_FALSE(std::filesystem::exists(output));
}

TEST_F(StoppedTranslateProgram, StopsInTheMiddleOfABatch) {
  // All lines are one batch, and the search in the backend sees the signal that the program got.
  const std::string err = run_stopped(50, {"-o", output, "--mini-batch", "100"}).err;
  EXPECT_THAT(err, HasSubstr("stopped by a signal"));
  EXPECT_EQ(lines_kept(std::filesystem::exists(output + ".partial") ? test::file_bytes(output + ".partial") : ""), 0U);
}

TEST_F(StoppedTranslateProgram, LosesNoOlderFile) {
  folder.file("out", "whole");
  folder.file("out.partial", "part");
  run_stopped(300, {"-o", output});
  EXPECT_EQ(test::file_bytes(output) + test::file_bytes(output + ".partial"), "wholepart");
  EXPECT_GT(lines_kept(test::file_bytes(output + ".partial-2")), 0U);
}

TEST_F(StoppedTranslateProgram, KeepsFinishedLinesOfEveryFormat) {
  // With several threads, the first line can be the last that is finished of the lines that are read ahead.
  const std::vector<std::vector<std::string>> all{{"--n-best", "2"},
                                                  {"--format", "jsonl", "--threads", "3", "--maxi-batch", "10"},
                                                  {"--mbr", "chrf"},
                                                  {"--sampling", "--mbr", "bleu", "--candidates", "3"}};
  for (const auto& flags : all) {
    std::vector<std::string> arguments{"-o", output};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    EXPECT_THAT(run_stopped(900, arguments).err, HasSubstr("what was finished is in " + output + ".partial; "));
    EXPECT_GT(count_lines(test::file_bytes(output + ".partial")), 0U);
    std::filesystem::remove(output + ".partial");
  }
}

/// JSON lines without the seconds, which are others each time.
std::string without_seconds(const std::string& text) {
  return std::regex_replace(text, std::regex(",\"seconds\":[0-9.e-]+"), "");
}

TEST_F(StoppedTranslateProgram, AResumedRunWritesWhatAnUninterruptedOneWrites) {
  const std::vector<std::vector<std::string>> all{
      {},
      {"--n-best", "2"},
      {"--format", "jsonl", "--n-best", "2", "--threads", "3", "--maxi-batch", "10"},
      {"--sampling", "--split-sentences", "--seed", "5"}};
  lines = "";
  for (int i = 0; i < 40; ++i) lines += line + "Nobody sees bread. The driver likes bread.\n\n";
  for (const std::string suffix : {"", ".gz"}) {
    for (const auto& flags : all) {
      std::vector<std::string> whole{"-o", folder.path("whole" + suffix), "-i", folder.file("in", lines)};
      whole.insert(whole.end(), flags.begin(), flags.end());
      ASSERT_EQ(run(whole).code, 0);
      std::vector<std::string> arguments{"-o", output + suffix};
      arguments.insert(arguments.end(), flags.begin(), flags.end());
      EXPECT_THAT(run_stopped(900, arguments).err, HasSubstr("--resume goes on from there"));
      arguments.insert(arguments.end(), {"--resume", "-i", folder.path("in")});
      const auto outcome = run(arguments);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_THAT(outcome.err, HasSubstr("out.partial" + suffix + ": going on after line "));
      const std::string bytes = test::file_bytes(output + suffix), expected = test::file_bytes(whole[1]);
      const bool timed = !flags.empty() && flags[0] == "--format";
      if (timed && suffix.empty()) {
        EXPECT_EQ(without_seconds(bytes), without_seconds(expected));
      } else if (!timed) {
        EXPECT_TRUE(bytes == expected) << suffix << testing::PrintToString(flags);
      }
      EXPECT_FALSE(std::filesystem::exists(output + ".partial" + suffix));
      EXPECT_FALSE(std::filesystem::exists(output + ".partial" + suffix + ".json"));
    }
  }
}

TEST_F(StoppedTranslateProgram, AKilledRunIsGoneOnWith) {
  std::string many;
  for (int i = 0; i < 300; ++i) many += lines;
  const std::string input = folder.file("many", many);
  {
    Conversation conversation({"-m", bundle(), "-i", input, "-o", output, "--quiet", "--beam-size", "1"});
    const auto written = [&] {
      std::error_code error;
      const auto size = std::filesystem::file_size(output + ".partial", error);
      return !error && size > 0;
    };
    for (int i = 0; i < 2000 && !written(); ++i) usleep(10'000);
    conversation.stop(SIGKILL);
    EXPECT_EQ(conversation.end(), 128 + SIGKILL);
  }
  ASSERT_TRUE(std::filesystem::exists(output + ".partial"));
  EXPECT_FALSE(std::filesystem::exists(output));
  const auto outcome = run({"-i", input, "-o", output, "--resume", "--beam-size", "1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("going on after line "));
  EXPECT_TRUE(test::file_bytes(output) == many);
  EXPECT_FALSE(std::filesystem::exists(output + ".partial"));
}

TEST_F(StoppedTranslateProgram, ARunWithOtherSettingsIsNotGoneOnWith) {
  run_stopped(300, {"-o", output});
  const auto outcome = run({"-i", folder.path("in"), "-o", output, "--resume", "--beam-size", "3"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("out.partial: was begun with another beam_size ("));
  EXPECT_TRUE(std::filesystem::exists(output + ".partial"));
  EXPECT_EQ(run({"-o", output, "--resume"}, "bread\n").code, 2);
}

TEST_F(StoppedTranslateProgram, KeepsAPackedPartThatCanBeUnpacked) {
  run_stopped(300, {"-o", output + ".gz"});
  EXPECT_GT(lines_kept(test::unpacked(test::file_bytes(output + ".partial.gz"))), 0U);
}

TEST_F(StoppedTranslateProgram, WithNothingFinishedThereIsNothingToKeep) {
  EXPECT_THAT(run_stopped(1, {"-o", output}).err, HasSubstr("out: stopped by a signal before anything was finished\n"));
  for (const std::string& name : test::entries(folder.path())) EXPECT_THAT(name, Not(HasSubstr("out")));
}

TEST_F(StoppedTranslateProgram, TellsHowManyLinesAreOnStandardOutput) {
  const auto outcome = run_stopped(300, {});
  EXPECT_THAT(outcome.err, HasSubstr("stopped by a signal after line " + std::to_string(lines_kept(outcome.out))));
}

TEST_F(StoppedTranslateProgram, ASecondCtrlCEndsItAtOnce) {
  setenv("COPYING_BACKEND_STOP_TWICE", "1", 1);
  EXPECT_EQ(run_stopped(300, {"-o", output}).err, "");
  unsetenv("COPYING_BACKEND_STOP_TWICE");
}

TEST_F(TranslateProgram, ASignalEndsALineThatHasNoEnd) {
  Conversation conversation({"-m", bundle(), "-i", "/dev/zero", "--quiet"});
  conversation.wait_until_read(100 << 20);
  conversation.stop(SIGTERM);
  EXPECT_EQ(conversation.end(), 128 + SIGTERM);
}

TEST_F(TranslateProgram, WritesPackedFiles) {
  const std::string output = folder.path("out.gz");
  EXPECT_EQ(run({"-o", output}, "bread\nNobody\n").code, 0);
  EXPECT_EQ(test::unpacked(test::file_bytes(output)), "bread\nNobody\n");
}

TEST_F(TranslateProgram, ABadLineInTheMiddleLosesNoLineBeforeIt) {
  const std::string good = "{\"text\": \"bread\"}\n", output = folder.path("out");
  const std::string before = good + good + good, input = folder.file("in", before + "{bad\n" + good);
  const auto outcome = run({"--input-format", "jsonl", "--format", "text", "-i", input, "-o", output});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err, "ventris-translate: " + input +
                             ":4: not valid JSON at byte 2; expected one object {\"text\": " +
                             "...} per line; 3 lines are finished, in " + output +
                             ".partial; mend the input, and --resume goes on after them\n");
  EXPECT_EQ(test::file_bytes(output + ".partial"), "bread\nbread\nbread\n");
  folder.file("in", before + good + good);
  EXPECT_EQ(run({"--input-format", "jsonl", "--format", "text", "-i", input, "-o", output, "--resume"}).code, 0);
  EXPECT_EQ(test::file_bytes(output), "bread\nbread\nbread\nbread\nbread\n");
  EXPECT_FALSE(std::filesystem::exists(output + ".partial"));
}

TEST_F(TranslateProgram, OnStandardOutputTheLinesBeforeABadOneAreOut) {
  const auto outcome = run({"--input-format", "jsonl", "--format", "text"}, "{\"text\": \"bread\"}\n{\n");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.out, "bread\n");
  EXPECT_THAT(outcome.err, HasSubstr("standard input:2: not valid JSON"));
  EXPECT_THAT(outcome.err, HasSubstr("; 1 line is finished\n"));
}

TEST_F(TranslateProgram, WithoutAnyFurtherThreadItTranslates) {
  if (SANITIZED) GTEST_SKIP() << "a sanitizer must be the first library";
  setenv("LD_PRELOAD", REFUSED_THREADS, 1);
  const auto outcome = run({"--threads", "4"}, "bread\nNobody\n");
  unsetenv("LD_PRELOAD");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "bread\nNobody\n");
}

}  // namespace
}  // namespace ventris
