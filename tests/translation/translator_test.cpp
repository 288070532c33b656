#include "translation/translator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <thread>

#include "core/error.h"
#include "core/process.h"
#include "core/random.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "translation/window_batches.h"

namespace ventris::translation {
namespace {

using Lines = std::vector<std::string>;

Lines texts(const std::vector<Translation>& translations) {
  Lines lines;
  for (const Translation& translation : translations) lines.push_back(translation.text());
  return lines;
}

Translator copying(const TranslatorOptions& options = {}, int64_t max_positions = 64) {
  const auto package = test::copying_package(max_positions);
  return {package, test::copy_factory(package), options};
}

/// A run over these lines, and what it counted.
TranslationCounts counts_of(const Translator& translator, const Lines& lines) {
  size_t next = 0;
  const auto source = [&](Request& request) {
    if (next < lines.size()) request.text = lines[next];
    return next++ < lines.size();
  };
  return translator.run(source, [] { return true; }, [](const Translation&) {});
}

/// Lines of many lengths, some of them blank.
Lines mixed_lines() {
  Lines lines;
  for (const uint32_t i : core::shuffled_indices(200, 3, 0)) lines.push_back(test::tiny_text()[i]);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i % 7 == 3) lines[i] = i % 2 == 0 ? "" : " \t ";
    if (i % 11 == 5) lines[i] += " " + lines[i - 1];
  }
  return lines;
}

Lines expected_copies(const Lines& lines) {
  const text::Tokenizer tokenizer(test::copying_package().source_spm, "tiny");
  Lines copies;
  for (const std::string& line : lines) copies.push_back(tokenizer.decode(tokenizer.encode(line)));
  return copies;
}

TEST(Translator, GivesEachLineItsTranslationInTheOrderOfTheLines) {
  const Lines lines = mixed_lines(), expected = expected_copies(lines);
  for (const int64_t sentences : {1, 7, 64}) {
    for (const int64_t window : {1, 13, 1000}) {
      for (const int workers : {1, 2, 5}) {
        TranslatorOptions options;
        options.batch.sentences = sentences;
        options.window_lines = window;
        options.workers = workers;
        auto translator = copying(options);
        EXPECT_EQ(texts(translator.translate(lines)), expected);
        EXPECT_EQ(counts_of(translator, lines).lines, static_cast<int64_t>(lines.size()));
      }
    }
  }
}

TEST(Translator, BatchesWorkersAndOrderChangeNoDraw) {
  const auto package = test::copying_package();
  const auto info = test::info_of(package);
  const auto factory =
      std::make_shared<test::TableFactory>(test::random_table(info.vocab, 5, 2.0), info, test::Ids{0, 1, 2});
  const Lines lines = mixed_lines();
  TranslatorOptions options;
  options.search.sampling.enabled = true;
  const Lines once = texts(Translator(package, factory, options).translate(lines));
  options.batch.sentences = 5;
  options.window_lines = 17;
  options.workers = 3;
  EXPECT_EQ(texts(Translator(package, factory, options).translate(lines)), once);
}

TEST(Translator, AnotherRunDrawsTheSameAgain) {
  const auto package = test::copying_package();
  const auto info = test::info_of(package);
  const auto factory =
      std::make_shared<test::TableFactory>(test::random_table(info.vocab, 5, 2.0), info, test::Ids{0, 1, 2});
  TranslatorOptions options;
  options.search.sampling.enabled = true;
  const Translator translator(package, factory, options);
  const Lines lines = mixed_lines();
  const Lines once = texts(translator.translate(lines));
  EXPECT_EQ(texts(translator.translate({lines.front()})), Lines{once.front()});
  EXPECT_EQ(texts(translator.translate(lines)), once);
}

TEST(Translator, PartsOfATextGetTheDrawsOfTheWholeIfTheyGoOnCounting) {
  const auto package = test::copying_package();
  const auto info = test::info_of(package);
  const auto factory =
      std::make_shared<test::TableFactory>(test::random_table(info.vocab, 5, 2.0), info, test::Ids{0, 1, 2});
  TranslatorOptions options;
  options.search.sampling.enabled = true;
  const Translator translator(package, factory, options);
  const Lines lines = mixed_lines();
  Lines found;
  for (const auto& [begin, end] : {std::pair<size_t, size_t>{0, 5}, {5, lines.size()}}) {
    size_t next = begin;
    translator.run(
        [&, end = end](Request& request) {
          if (next == end) return false;
          request.text = lines[next++];
          return true;
        },
        [] { return true; }, [&](const Translation& translation) { found.push_back(translation.text()); }, {}, begin);
  }
  EXPECT_EQ(found, texts(translator.translate(lines)));
}

TEST(Translator, ThreadsThatShareItGetWhatTheyWouldGetAlone) {
  const auto package = test::copying_package();
  const auto info = test::info_of(package);
  const auto factory =
      std::make_shared<test::TableFactory>(test::random_table(info.vocab, 5, 4.0), info, test::Ids{0, 1, 2});
  for (const bool sampling : {false, true}) {
    for (const int workers : {1, 3}) {
      TranslatorOptions options;
      options.search.beam_size = options.search.n_best = 2;
      options.search.max_length_factor = 0.5;
      options.search.sampling.enabled = sampling;
      options.finish.alignment = true;
      options.batch.sentences = 4;
      options.window_lines = 23;
      options.workers = workers;
      const auto all_lines = mixed_lines();
      constexpr size_t kThreads = 4, kLines = 20;
      std::vector<Lines> parts, alone(kThreads), together(kThreads);
      std::vector<TranslationCounts> counted_alone(kThreads), counts(kThreads);
      for (size_t i = 0; i < kThreads; ++i) {
        const auto begin = all_lines.begin() + static_cast<int64_t>(i * kLines);
        parts.emplace_back(begin, begin + kLines);
        const Translator own(package, factory, options);
        alone[i] = texts(own.translate(parts[i]));
        counted_alone[i] = counts_of(own, parts[i]);
      }
      const Translator shared(package, factory, options);
      {
        std::vector<std::jthread> threads;
        for (size_t i = 0; i < kThreads; ++i) {
          threads.emplace_back([&, i] {
            together[i] = texts(shared.translate(parts[i]));
            counts[i] = counts_of(shared, parts[i]);
          });
        }
      }
      EXPECT_EQ(together, alone);
      for (size_t i = 0; i < kThreads; ++i) {
        EXPECT_EQ(counts[i].lines, static_cast<int64_t>(kLines));
        EXPECT_EQ(counts[i].empty, counted_alone[i].empty);
        EXPECT_EQ(counts[i].target_tokens, counted_alone[i].target_tokens);
      }
    }
  }
}

TEST(Translator, ARunThatFailsLeavesItsDecodersToOthers) {
  const auto package = test::copying_package();
  const auto info = test::info_of(package);
  const auto copy = test::copy_table(info.vocab);
  test::Ids bad = text::Tokenizer(package.source_spm, "tiny").encode("Nobody");
  bad.push_back(info.eos);
  const test::Table table = [&](const test::Ids& source, const test::Ids& prefix) {
    if (source == bad) fail<ModelError>("cannot take it");
    return copy(source, prefix);
  };
  const Translator translator(package, std::make_shared<test::TableFactory>(table, info, test::Ids{0, 1, 2}), {});
  for (int i = 0; i < 3; ++i) EXPECT_FAILS(translator.translate({"Nobody"}), ModelError, "cannot take it");
  EXPECT_EQ(translator.translate({"bread"}).front().text(), "bread");
}

TEST(Translator, ASinkMayTranslate) {
  const auto translator = copying();
  Lines found;
  size_t next = 0;
  translator.run([&](Request& request) { return request.text = "bread", next++ < 3; }, [] { return true; },
                 [&](const Translation& translation) {
                   found.push_back(translator.translate({translation.text() + " bread"}).front().text());
                 });
  EXPECT_EQ(found, Lines(3, "bread bread"));
}

TEST(Translator, BatchesAndWorkersChangeNoChoiceNorLink) {
  const auto package = test::copying_package();
  const auto info = test::info_of(package);
  const auto factory =
      std::make_shared<test::TableFactory>(test::random_table(info.vocab, 5, 4.0), info, test::Ids{0, 1, 2});
  const auto all_lines = mixed_lines();
  const Lines lines(all_lines.begin(), all_lines.begin() + 50);
  for (const Utility mbr : {Utility::kNone, Utility::kChrf}) {
    for (const bool sampling : {false, true}) {
      TranslatorOptions options;
      options.search.beam_size = 3;
      options.search.max_length_factor = 0.2;
      options.search.sampling.enabled = sampling;
      options.search.repetition = {2, 1.2};
      options.finish.alignment = true;
      options.finish.mbr = mbr;
      options.finish.coverage_penalty = 0.3;
      options.finish.candidates = 3;
      const auto once = Translator(package, factory, options).translate(lines);
      options.batch.sentences = 5;
      options.window_lines = 17;
      options.workers = 3;
      const auto again = Translator(package, factory, options).translate(lines);
      ASSERT_EQ(again.size(), once.size());
      for (size_t i = 0; i < once.size(); ++i) {
        EXPECT_EQ(again[i].text(), once[i].text());
        EXPECT_EQ(again[i].candidates.front().score, once[i].candidates.front().score);
        EXPECT_EQ(format_links(again[i].candidates.front().links), format_links(once[i].candidates.front().links));
      }
    }
  }
}

TEST(Translator, BlankLinesComeOutEmptyWithoutAskingTheModel) {
  const auto package = test::copying_package();
  const test::Table never = [](const test::Ids&, const test::Ids&) -> std::vector<float> {
    throw std::logic_error("asked");
  };
  Translator translator(package, std::make_shared<test::TableFactory>(never, test::info_of(package)), {});
  const Lines lines{"", "   ", "\t", "\u3000", "\x01\x02", "\u200b"};
  const auto found = translator.translate(lines);
  ASSERT_EQ(found.size(), lines.size());
  for (const Translation& translation : found) EXPECT_EQ(translation.text(), "");
  const TranslationCounts counts = counts_of(translator, lines);
  EXPECT_EQ(counts.empty, 6);
  EXPECT_EQ(counts.target_tokens, 0);
}

TEST(Translator, ALineOfUnknownCharactersStillComesOut) {
  // The source is a space and <unk>, which may not be generated; the table's second choice there is the piece 6.
  const text::Tokenizer tokenizer(test::copying_package().source_spm, "tiny");
  const std::string second = tokenizer.decode(test::Ids{tokenizer.encode("日本語").front(), 6});
  EXPECT_EQ(texts(copying().translate({"日本語", "\xF0\x9F\x98\x80", "The driver likes bread."})),
            (Lines{second, second, "The driver likes bread."}));
}

TEST(Translator, ALineEndSpeltInBytesDoesNotEndTheLine) {
  const text::Tokenizer tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram, /*byte_fallback=*/true);
  auto package = test::copying_package();
  package.source_spm = package.target_spm = tokenizer.bytes();
  test::shape_of(package.config).src_vocab = test::shape_of(package.config).tgt_vocab = tokenizer.size();
  constexpr int32_t kFirstByte = 4;
  ASSERT_EQ(tokenizer.piece(kFirstByte + '\n'), "<0x0A>");
  const test::Table spells = [&](const test::Ids&, const test::Ids& prefix) {
    const std::array<int32_t, 4> ids{kFirstByte + 'a', kFirstByte + '\r', kFirstByte + '\n', 3};
    std::vector<double> weights(static_cast<size_t>(tokenizer.size()), 1e-9);
    weights[static_cast<size_t>(ids.at(prefix.size()))] = 1;
    return test::log_shares(weights);
  };
  Translator translator(package, std::make_shared<test::TableFactory>(spells, test::info_of(package)), {});
  EXPECT_EQ(translator.translate({"bread"}).front().text(), "a  ");
}

TEST(Translator, CutsLinesTheModelCannotTakeAndCountsThem) {
  auto translator = copying({}, 12);
  std::string endless;
  for (int i = 0; i < 500; ++i) endless += "bread bridge ";
  const Lines lines{"bread", endless, "Nobody", endless};
  const auto found = translator.translate(lines);
  EXPECT_FALSE(found[0].source_cut);
  EXPECT_TRUE(found[1].source_cut);
  EXPECT_LE(found[1].candidates.front().tokens, 12);
  EXPECT_THAT(found[1].text(), testing::MatchesRegex("bread( bridge( bread)?)*"));  // cut after a word
  const TranslationCounts counts = counts_of(translator, lines);
  EXPECT_EQ(counts.empty, 0);
  EXPECT_EQ(counts.source_cut, 2);
  EXPECT_EQ(counts.first_source_cut, 2);
}

TEST(Translator, TheGreatestSourceLengthCanBeSetLower) {
  TranslatorOptions options;
  options.max_source_length = 4;
  auto translator = copying(options);
  const auto found = translator.translate({"Some workers never painted two wooden boats."}).front();
  EXPECT_TRUE(found.source_cut);
  EXPECT_EQ(found.candidates.front().tokens, 4);  // three of the source and eos
}

TEST(Translator, LinesAreCutToWhatTheWorkspaceHoldsAndCounted) {
  const auto package = test::copying_package();
  TranslatorOptions options;
  options.workspace = 40;
  options.search.beam_size = 2;
  const Translator translator(package, test::large_factory(package), options);
  const Lines lines{"bread", "Some workers never painted two wooden boats, and the driver likes bread and the bridge."};
  const auto found = translator.translate(lines);
  EXPECT_FALSE(found[0].source_cut);
  EXPECT_TRUE(found[1].source_cut);
  const TranslationCounts counts = counts_of(translator, lines);
  EXPECT_EQ(counts.source_cut, 1);
  EXPECT_EQ(counts.first_source_cut, 2);
  EXPECT_EQ(counts.workspace_tokens, 17);  // of 36 MiB beside the search's own 4, and a little
  options.workspace = 1000;
  EXPECT_EQ(counts_of(Translator(package, test::large_factory(package), options), lines).workspace_tokens, 0);
}

TEST(Translator, TheWorkspaceChangesNoTranslationThatFits) {
  const auto package = test::copying_package();
  const Lines lines = mixed_lines();
  TranslatorOptions options;
  options.search.max_length_factor = 1;
  for (const bool sampling : {false, true}) {
    options.search.sampling.enabled = sampling;
    options.search.beam_size = sampling ? 1 : 3;
    options.search.n_best = 3;
    for (const int workers : {1, 3}) {
      options.workers = workers;
      options.workspace = 2000;
      const auto once = Translator(package, test::large_factory(package), options).translate(lines);
      options.workspace = 200;  // one line, or a few
      const auto again = Translator(package, test::large_factory(package), options).translate(lines);
      EXPECT_EQ(texts(again), texts(once));
    }
  }
}

TEST(Translator, AWorkspaceThatIsTooSmallForAnythingIsRefused) {
  const auto package = test::copying_package();
  TranslatorOptions options;
  options.workspace = 10;
  EXPECT_FAILS(Translator(package, test::large_factory(package), options), ConfigError,
               "workspace: 10 MiB are not enough for one sentence with these settings; give at least 21");
}

TEST(Translator, ManyTranslationsOfALineAreSortedAndCounted) {
  TranslatorOptions options;
  options.search.beam_size = 6;
  options.search.n_best = 4;
  const auto found = copying(options).translate({"The driver likes bread.", ""});
  ASSERT_EQ(found[0].candidates.size(), 4U);
  for (size_t i = 1; i < 4; ++i) EXPECT_GE(found[0].candidates[i - 1].score, found[0].candidates[i].score);
  EXPECT_EQ(found[1].candidates.size(), 1U);
}

/// Runs lines with prefixes through a translator.
Lines with_prefixes(Translator& translator, const std::vector<Request>& requests) {
  Lines found;
  size_t next = 0;
  translator.run(
      [&](Request& request) {
        if (next == requests.size()) return false;
        request = requests[next++];
        return true;
      },
      [] { return true; }, [&](const Translation& translation) { found.push_back(translation.text()); });
  return found;
}

TEST(Translator, ATranslationBeginsWithItsPrefix) {
  auto translator = copying();
  const Lines found =
      with_prefixes(translator, {{"My sister sees bread.", "Nobody"}, {"Nobody sees bread.", ""}, {"", "Nobody"}});
  EXPECT_THAT(found[0], testing::StartsWith("Nobody"));
  EXPECT_EQ(found[1], "Nobody sees bread.");
  EXPECT_EQ(found[2], "");
}

TEST(Translator, APrefixKeepsItsUnknownCharacters) {
  TranslatorOptions plain, mbr, copying_unknowns, aligned;
  mbr.finish.mbr = Utility::kChrf;
  copying_unknowns.finish.replace_unk = true;
  aligned.finish.alignment = true;
  for (TranslatorOptions options : {plain, mbr, copying_unknowns, aligned}) {
    options.search.beam_size = 3;
    auto translator = copying(options);
    const Lines found = with_prefixes(
        translator, {{"My sister sees bread.", "Nobody 日本 sees 語"}, {"bread", "日本"}, {"bread", "\u3392 bread"}});
    EXPECT_THAT(found[0], testing::StartsWith("Nobody 日本 sees 語"));
    EXPECT_THAT(found[1], testing::StartsWith("日本"));
    EXPECT_THAT(found[2], testing::StartsWith("MHz bread"));  // as SentencePiece normalises it
  }
}

TEST(Translator, APrefixTheModelHasNoRoomForNamesItsLine) {
  auto translator = copying({}, 10);
  const std::vector<Request> requests{{"bread", ""},
                                      {"bread", "Some workers never painted two wooden boats in the green bridge"}};
  EXPECT_FAILS(with_prefixes(translator, requests), PrefixError, "line 2: its prefix has");
}

TEST(Translator, ALineIsHandedOutBeforeTheNextOneIsWaitedFor) {
  auto translator = copying();
  Lines events;
  const Lines lines{"bread", "Nobody"};
  size_t next = 0;
  translator.run(
      [&](Request& request) {
        events.push_back("asked");
        if (next == lines.size()) return false;
        request.text = lines[next++];
        return true;
      },
      [] { return false; }, [&](const Translation& translation) { events.push_back(translation.text()); });
  EXPECT_EQ(events, (Lines{"asked", "bread", "asked", "Nobody", "asked"}));
}

TEST(Translator, WhatGoesWrongInAWorkerReachesTheCaller) {
  const auto package = test::copying_package();
  const test::Table broken = [](const test::Ids&, const test::Ids&) -> std::vector<float> {
    fail<ModelError>("broken weights");
  };
  TranslatorOptions options;
  options.workers = 3;
  options.batch.sentences = 2;
  Translator translator(package, std::make_shared<test::TableFactory>(broken, test::info_of(package)), options);
  EXPECT_FAILS(translator.translate(mixed_lines()), ModelError, "broken weights");
}

TEST(Translator, WhatTheSinkThrowsReachesTheCaller) {
  auto translator = copying();
  const Lines lines = mixed_lines();
  size_t next = 0;
  const auto source = [&](Request& request) {
    if (next < lines.size()) request.text = lines[next];
    return next++ < lines.size();
  };
  EXPECT_FAILS(translator.run(
                   source, [] { return true; }, [](const Translation&) { fail<WriteError>("no room"); }),
               WriteError, "no room");
}

TEST(Translator, AfterAnExceptionOfTheSinkNoWorkerHandsOutMore) {
  TranslatorOptions options;
  options.workers = 4;
  options.batch.sentences = 1;
  const auto translator = copying(options);
  const std::string line = mixed_lines().front();
  for (int attempt = 0; attempt < 20; ++attempt) {
    size_t next = 0, taken = 0;
    const auto source = [&](Request& request) {
      request.text = line;
      return next++ < 64;
    };
    const auto sink = [&](const Translation& translation) {
      ASSERT_FALSE(translation.candidates.empty());
      if (++taken == 3) fail<WriteError>("no room");
    };
    EXPECT_FAILS(translator.run(source, [] { return true; }, sink), WriteError, "no room");
    EXPECT_EQ(taken, 3U);
  }
}

TEST(Translator, RefusesATokenizerOfAnotherSize) {
  auto package = test::copying_package();
  const auto factory = test::copy_factory(package);
  test::shape_of(package.config).tgt_vocab += 1;
  EXPECT_FAILS(Translator(package, factory, {}), ModelError, "target.spm: the tokenizer has");
}

TEST(TranslatorDeathTest, ASignalStopsItBetweenBatches) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto stopped = [] {
    core::install_stop_handlers();
    TranslatorOptions options;
    options.batch.sentences = options.window_lines = 1;
    auto translator = copying(options);
    size_t handed_out = 0, next = 0;
    try {
      translator.run([&](Request& request) { return request.text = "bread", next++ < 100; }, [] { return true; },
                     [&](const Translation&) {
                       if (++handed_out == 3) std::raise(SIGTERM);
                     });
    } catch (const Interrupted& interrupted) {
      std::exit(interrupted.signal == SIGTERM && handed_out == 3 ? 0 : 1);
    }
    std::exit(2);
  };
  EXPECT_EXIT(stopped(), testing::ExitedWithCode(0), "");
}

TEST(TranslatorDeathTest, ASignalAmidABatchLosesNothingThatWasFinished) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto stopped = [] {
    core::install_stop_handlers();
    const auto package = test::copying_package();
    const auto info = test::info_of(package);
    const auto copy = test::copy_table(info.vocab);
    int answers = 0;
    const auto signalled = [&](const test::Ids& source, const test::Ids& prefix) {
      if (++answers == 20) std::raise(SIGINT);
      return copy(source, prefix);
    };
    TranslatorOptions options;
    options.batch.sentences = 1;
    const auto factory = std::make_shared<test::TableFactory>(signalled, info, test::Ids{0, 1, 2});
    Translator translator(package, factory, options);
    size_t handed_out = 0, next = 0;
    try {
      translator.run([&](Request& request) { return request.text = "bread", next++ < 100; }, [] { return true; },
                     [&](const Translation&) { ++handed_out; });
    } catch (const Interrupted& interrupted) {
      const bool told = interrupted.what() == "stopped by a signal after line " + std::to_string(handed_out);
      std::exit(interrupted.signal == SIGINT && told && answers == 20 && handed_out > 0 ? 0 : 1);
    }
    std::exit(2);
  };
  EXPECT_EXIT(stopped(), testing::ExitedWithCode(0), "");
}

TEST(Translator, AWindowEndsWhereItsTextOrItsResultsWouldBeTooMuchToHold) {
  for (const bool wide : {false, true}) {
    TranslatorOptions options;
    options.window_lines = kMostWindowLines;
    if (wide) options.search.n_best = options.search.beam_size = decoding::kLargestBeam;
    auto translator = copying(options);
    const auto expected = static_cast<size_t>(wide ? kMostWindowResults / decoding::kLargestBeam : 16);
    const std::string text = wide ? "" : std::string(1 << 20, ' ');
    size_t read = 0, out = 0;
    const auto next = [&](Request& request) {
      EXPECT_EQ(out, read / expected * expected);  // all that was read before a full window is out
      return request.text = text, read++ < 2 * expected;
    };
    translator.run(next, [] { return true; }, [&](const Translation&) { ++out; });
    EXPECT_EQ(out, 2 * expected);
  }
}

const std::string kWord = test::separating_word();

/// A model that copies, and has learnt context with this word as its separator.
model::Package context_package(bool both, int64_t max_positions = 64) {
  model::Package package = test::copying_package(max_positions);
  package.config.context = {2, both, "\u2581" + kWord};
  return package;
}

std::string with_context(const model::Package& package, const Request& asked, int64_t context = 2) {
  TranslatorOptions options;
  options.context = context;
  const Translator translator(package, test::copy_factory(package), options);
  std::string found;
  bool given = false;
  translator.run(
      [&](Request& request) {
        request = asked;
        return !std::exchange(given, true);
      },
      [] { return true; }, [&](const Translation& translation) { found = translation.text(); });
  return found;
}

TEST(Translator, TheModelGetsTheLastSentencesBeforeWithSeparators) {
  const auto package = context_package(false);
  const Request request{.text = "Nobody", .prefix = "", .context = {"The driver", "My sister", "", "The bridge"}};
  EXPECT_EQ(with_context(package, request), "The bridge " + kWord + " Nobody");  // a blank one counts, and adds nothing
  EXPECT_EQ(with_context(package, request, 1), "The bridge " + kWord + " Nobody");
  EXPECT_EQ(with_context(package, request, 0), "Nobody");
  EXPECT_EQ(with_context(package, {.text = "Nobody", .prefix = "", .context = {"My sister", "The bridge"}}),
            "My sister " + kWord + " The bridge " + kWord + " Nobody");
  EXPECT_EQ(with_context(package, {.text = "", .prefix = "", .context = {"My sister"}}), "");
}

TEST(Translator, OfContextThatTheModelAlsoWritesOnlyTheLastSentenceStays) {
  const Request request{.text = "Nobody", .prefix = "", .context = {"My sister", "The bridge"}};
  EXPECT_EQ(with_context(context_package(true), request), "Nobody");
  const Request alone{.text = "My sister " + kWord + " Nobody", .prefix = "", .context = {}};
  for (const int64_t context : {0, 2}) EXPECT_EQ(with_context(context_package(true), alone, context), "Nobody");
  EXPECT_EQ(with_context(context_package(false), alone, 0), alone.text);
  EXPECT_FAILS(with_context(context_package(true), {.text = "Nobody", .prefix = "No", .context = {}}), ConfigError,
               "force_prefix: cannot be combined with context for this model");
}

TEST(Translator, ContextThatIsTooLongLosesItsOldestSentences) {
  const Request request{.text = "Nobody sees bread.", .prefix = "", .context = {"My sister", "The bridge"}};
  const text::Tokenizer tokenizer(test::copying_package().source_spm, "tiny");
  const auto own = std::ssize(tokenizer.encode(request.text)), last = std::ssize(tokenizer.encode("The bridge"));
  EXPECT_EQ(with_context(context_package(false, own + last + 2), request),
            "The bridge " + kWord + " Nobody sees bread.");
  EXPECT_EQ(with_context(context_package(false, own + last + 1), request), "Nobody sees bread.");
}

TEST(Translator, ContextNeedsAModelThatHasLearntIt) {
  EXPECT_FAILS(with_context(test::copying_package(), {.text = "Nobody", .prefix = ""}), ConfigError,
               "context: tiny package has learnt to translate single sentences; leave it out");
  EXPECT_FAILS(with_context(context_package(false), {.text = "Nobody", .prefix = ""}, 3), ConfigError,
               "context: must be from 0 (none) to 2, the most that tiny package has learnt, got 3");
  model::Package broken = context_package(false);
  broken.config.context.separator = "<none>";
  EXPECT_FAILS(with_context(broken, {.text = "Nobody", .prefix = ""}), ModelError,
               "context.separator: expected a piece of the tokenizer, got '<none>'");
  TranslatorOptions options;
  options.context = 1;
  options.phrases = true;
  const auto both = context_package(true);
  EXPECT_FAILS(Translator(both, test::copy_factory(both), options), ConfigError,
               "context: cannot be combined with constraints and terms for this model");
}

}  // namespace
}  // namespace ventris::translation
