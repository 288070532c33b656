#include "filters/settings.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "support/errors.h"
#include "support/setting_probes.h"

namespace ventris::filters {
namespace {

using nlohmann::json;

model::DecodingDefaults own() { return {.beam_size = 7, .length_alpha = 0.6, .max_length_factor = 2.0}; }

TEST(TranslateSettings, WhatIsLeftOpenIsTheModelsOwn) {
  const auto settings = TranslateSettings::parse(json::object(), own());
  EXPECT_EQ(settings.translator.search.beam_size, 7);
  EXPECT_EQ(settings.translator.search.length_alpha, 0.6);
  EXPECT_EQ(settings.translator.search.max_length_factor, 2.0);
  EXPECT_EQ(TranslateSettings::parse({{"beam_size", 3}}, own()).translator.search.beam_size, 3);
}

TEST(TranslateSettings, WhatIsWrittenReadsBackTheSame) {
  json changed =
      TranslateSettings::parse({{"n_best", 2}, {"sampling", true}, {"top_k", 5}, {"seed", 9}}, own()).to_json();
  EXPECT_EQ(TranslateSettings::parse(changed, {}).to_json(), changed);
  EXPECT_EQ(changed["format"], "moses");  // more than one translation a line is a list
  changed = TranslateSettings::parse({{"mbr", "chrf"},
                                      {"candidates", 6},
                                      {"alignment", true},
                                      {"alignment_head", "2"},
                                      {"coverage_penalty", 0.2},
                                      {"repetition_penalty", 1.2},
                                      {"no_repeat_ngram", 3},
                                      {"allow_unk", true},
                                      {"replace_unk", true},
                                      {"word_scores", true},
                                      {"input_format", "jsonl"}},
                                     own())
                .to_json();
  EXPECT_EQ(TranslateSettings::parse(changed, {}).to_json(), changed);
  EXPECT_EQ(changed["alignment_head"], "2");
}

TEST(TranslateSettings, TheFormatFollowsTheInputUnlessItIsTold) {
  const auto format = [](const json& source) { return TranslateSettings::parse(source, own()).written.format; };
  EXPECT_EQ(format(json::object()), OutputFormat::kText);
  EXPECT_EQ(format({{"input_format", "jsonl"}}), OutputFormat::kJsonl);
  EXPECT_EQ(format({{"input_format", "jsonl"}, {"format", "text"}}), OutputFormat::kText);
  EXPECT_EQ(format({{"input_format", "jsonl"}, {"n_best", 2}}), OutputFormat::kJsonl);
  EXPECT_EQ(format({{"format", "jsonl"}, {"n_best", 2}}), OutputFormat::kJsonl);
  EXPECT_EQ(format({{"format", "text"}, {"n_best", 2}}), OutputFormat::kMoses);
  EXPECT_TRUE(TranslateSettings::parse({{"format", "jsonl"}, {"n_best", 2}}, own()).written.n_best);
}

TEST(TranslateSettings, MistakesAreNamed) {
  const auto parse = [](const json& source) { return TranslateSettings::parse(source, own()); };
  EXPECT_FAILS(parse({{"beam_sise", 3}}), ConfigError, "did you mean 'beam_size'?");
  EXPECT_FAILS(parse({{"beam_size", "many"}}), ConfigError, "beam_size");
  EXPECT_FAILS(parse({{"beam_size", 5'000'000'000}}), ConfigError, "beam_size: 5000000000 is out of range");
  EXPECT_FAILS(parse({{"n_best", 8}}), ConfigError, "n_best: must be at most beam_size (7), got 8");
  EXPECT_FAILS(parse({{"format", "xml"}}), ConfigError, "format");
  EXPECT_FAILS(parse({{"top_k", 5}}), ConfigError, "add --sampling");
  EXPECT_FAILS(parse({{"input_format", "xml"}}), ConfigError, "input_format");
  EXPECT_FAILS(parse({{"mbr", "ter"}}), ConfigError, "mbr: expected one of none, chrf, bleu; got 'ter'");
  EXPECT_FAILS(parse({{"replace_unk", true}}), ConfigError, "add --allow-unk");
  for (const char* head : {"0", "-1", "all", "1.5", ""}) {
    EXPECT_FAILS(parse({{"alignment_head", head}}), ConfigError,
                 "alignment_head: expected auto, mean or a number from 1");
  }
  EXPECT_FAILS(parse({{"no_repeat_ngram", -2}}), ConfigError, "no_repeat_ngram: must be 0 (off) or more, got -2");
  EXPECT_FAILS(parse({{"repetition_penalty", 0.5}}), ConfigError, "repetition_penalty: must be from 1 (none) to 100");
  EXPECT_FAILS(parse({{"coverage_penalty", -1}}), ConfigError, "coverage_penalty: must be from 0 (none) to 100");
  EXPECT_FAILS(parse({{"candidates", 4}}), ConfigError, "candidates: has an effect only with --mbr");
  EXPECT_FAILS(parse({{"normalize", -1}}), ConfigError, "normalize: must be from 0 to 10, got -1");
  EXPECT_FAILS(parse({{"threads", 0}}), ConfigError, "threads: must be from 1 to 1024, got 0");
  EXPECT_FAILS(parse({{"threads", 1025}}), ConfigError, "threads: must be from 1 to 1024, got 1025");
  EXPECT_FAILS(parse({{"seed", -1}}), ConfigError,
               "seed: expected a whole number from 0 to 18446744073709551615, got -1");
}

TEST(TranslateSettings, AShortlistHasLimitsAndNeedsALexicon) {
  const auto parse = [](const json& source) { return TranslateSettings::parse(source, own()).shortlist; };
  const auto found = parse({{"shortlist", "lexicon"}, {"shortlist_best", 7}, {"shortlist_first", 0}});
  EXPECT_EQ(found.lexicon, "lexicon");
  EXPECT_EQ(found.options.best, 7);
  EXPECT_EQ(found.options.first, 0);
  for (const char* key : {"shortlist_best", "shortlist_first"}) {
    EXPECT_FAILS(parse({{key, 7}}), ConfigError, "have an effect only with a shortlist; add --shortlist FILE");
  }
  EXPECT_FAILS(parse({{"shortlist_best", 0}}), ConfigError, "shortlist_best: must be at least 1, got 0");
  EXPECT_FAILS(parse({{"shortlist_best", 1001}}), ConfigError, "shortlist_best: must be at most 1000, got 1001");
  EXPECT_FAILS(parse({{"shortlist_first", -1}}), ConfigError, "shortlist_first: must be at least 0, got -1");
}

TEST(TranslateSettings, TheAttentionForTagsAndPlaceholdersCanBeChosen) {
  const json choice = {{"alignment_layer", 2}, {"alignment_head", 3}};
  for (const json& use :
       std::vector<json>{{{"markup", "html"}}, {{"placeholders", "builtin"}}, {{"alignment", true}}}) {
    json source = choice;
    source.update(use);
    const auto& attention = TranslateSettings::parse(source, own()).translator.finish.attention;
    EXPECT_EQ(std::pair(attention.layer, attention.head), std::pair(int64_t{2}, int64_t{3})) << use;
  }
  EXPECT_FAILS(TranslateSettings::parse(choice, own()), ConfigError,
               "have an effect only with --alignment, --replace-unk, --coverage-penalty, --markup or --placeholders");
  EXPECT_FAILS(TranslateSettings::parse({{"alignment_head", 0}, {"markup", "html"}}, own()), ConfigError,
               "alignment_head: expected auto, mean or a number from 1, got '0'");
  EXPECT_FAILS(TranslateSettings::parse({{"alignment_head", true}, {"markup", "html"}}, own()), ConfigError,
               "alignment_head: expected a text");
}

TEST(TranslateSettings, ChangesOfADocumentAreRead) {
  const json source{{"markup", "xml"}, {"translate_attributes", true}, {"document_language", "de"}};
  const auto document = TranslateSettings::parse(source, own()).document;
  EXPECT_TRUE(document.changes.attributes);
  EXPECT_EQ(document.changes.language, "de");
  EXPECT_FAILS(TranslateSettings::parse({{"translate_attributes", true}}, own()), ConfigError,
               "has an effect only in HTML, XML, EPUB and Markdown");
}

TEST(TranslateSettings, TheNameOfTheInputSaysTheMarkup) {
  const auto markup_of = [](const json& source) { return TranslateSettings::parse(source, own()).document.markup; };
  EXPECT_EQ(markup_of({{"input", "film.srt"}}), markup::Markup::kSrt);
  EXPECT_EQ(markup_of({{"input", "de.po.gz"}}), markup::Markup::kPo);
  EXPECT_EQ(markup_of({{"input", "page.html"}}), markup::Markup::kHtml);
  EXPECT_EQ(markup_of({{"input", "page.html"}, {"markup", "none"}}), markup::Markup::kNone);
  EXPECT_EQ(markup_of({{"input", "page.html"}, {"markup", "xml"}}), markup::Markup::kXml);
  EXPECT_EQ(markup_of({{"input", "page.html"}, {"input_format", "jsonl"}}), markup::Markup::kNone);
  EXPECT_EQ(markup_of({{"input", "train.en"}}), markup::Markup::kNone);
  EXPECT_EQ(markup_of({{"input", "-"}}), markup::Markup::kNone);
  EXPECT_EQ(markup_of({{"input", "report.docx"}}), markup::Markup::kDocx);
  EXPECT_FAILS(markup_of({{"input", "report.pdf"}}), ConfigError,
               "input: report.pdf is a document in PDF, which is not read; save it in another format");
  EXPECT_FAILS(markup_of({{"input", "a.blade.php"}}), ConfigError, "or say how to read it: --markup none for text");
  EXPECT_EQ(markup_of({{"input", "report.docx"}, {"markup", "none"}}), markup::Markup::kNone);
}

TEST(TranslateSettings, WhoDidNotAskForADocumentIsTold) {
  const auto note_of = [](const json& source) { return TranslateSettings::parse(source, own()).markup_note(); };
  EXPECT_EQ(note_of({{"input", "list.md"}}),
            "list.md is read as markdown, because of its ending; --markup none reads each line as a text");
  EXPECT_EQ(note_of({{"input", "list.md"}, {"markup", "markdown"}}), "");
  EXPECT_EQ(note_of({{"input", "list.txt"}}), "");
  for (const json& setting : std::vector<json>{{{"alignment", true}}, {{"shard", "1/2"}}}) {
    json source = setting;
    source["input"] = "list.md";
    EXPECT_FAILS(note_of(source), ConfigError, "--markup none reads each line as a text");
  }
}

TEST(TranslateSettings, AFileOfJsonLinesIsNoText) {
  const auto parse = [](const json& source) { return TranslateSettings::parse(source, own()); };
  EXPECT_FAILS(parse({{"input", "a.jsonl"}}), ConfigError,
               "input: a.jsonl has JSON lines, as its ending says; add --input-format jsonl");
  EXPECT_NO_THROW(parse({{"input", "a.jsonl"}, {"input_format", "jsonl"}}));
  EXPECT_NO_THROW(parse({{"input", "a.jsonl"}, {"markup", "none"}}));
}

TEST(TranslateSettings, SettingsOfAFormatNeedIt) {
  const auto document = [](const json& source) { return TranslateSettings::parse(source, own()).document; };
  EXPECT_EQ(document({{"markup", "json"}, {"translate_keys", "a,b"}}).format.keys, "a,b");
  EXPECT_FALSE(document({{"markup", "po"}, {"no_fuzzy", true}}).format.fuzzy);
  EXPECT_TRUE(document({{"markup", "po"}}).format.fuzzy);
  EXPECT_FAILS(document({{"markup", "po"}, {"translate_keys", "a"}}), ConfigError,
               "translate_keys: has an effect only in JSON, YAML and");
  EXPECT_FAILS(document({{"no_fuzzy", true}}), ConfigError, "no_fuzzy: has an effect only in PO");
  EXPECT_FAILS(document({{"markup", "srt"}, {"input_format", "jsonl"}, {"format", "text"}}), ConfigError,
               "format: must be jsonl for documents of this markup in JSON lines");
}

/// lib/models/model may not include lib/inference/decoding, so it has the limits once more.
TEST(TranslateSettings, ABundlesDefaultsHaveTheLimitsOfTheSearch) {
  const auto accepted = [](const auto& action) {
    try {
      action();
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  model::ModelConfig config;
  config.architecture = config.architecture->with_vocabularies(50, 50);
  const auto agree = [&](const model::DecodingDefaults& defaults, bool fine) {
    config.decoding = defaults;
    EXPECT_EQ(accepted([&] { TranslateSettings::parse(json::object(), defaults); }), fine);
    EXPECT_EQ(accepted([&] { model::ModelConfig::parse(config.to_json(), "config.json"); }), fine);
  };
  const double endless = std::numeric_limits<double>::infinity();
  for (const int64_t beam : {int64_t{1}, int64_t{decoding::kLargestBeam}}) agree({beam, 0, 0}, true);
  for (const int64_t beam : {int64_t{0}, int64_t{decoding::kLargestBeam} + 1}) agree({beam, 1, 3}, false);
  agree({5, 10, 1e9}, true);
  for (const double alpha : {-0.1, 10.1, endless}) agree({5, alpha, 3}, false);
  for (const double factor : {-0.1, endless}) agree({5, 1, factor}, false);
}

TEST(TranslateSettings, DescribesEverySettingThatItWrites) {
  const json written = TranslateSettings().to_json();
  const auto sections = TranslateSettings::describe();
  const std::set<std::string> of_the_model{"beam_size", "normalize", "max_length_factor", "iterations",
                                           "length_candidates"};
  ASSERT_EQ(sections.size(), 1U);
  EXPECT_EQ(sections[0].settings.size(), written.size());
  for (const auto& setting : sections[0].settings) {
    ASSERT_TRUE(written.contains(setting.path)) << setting.path;
    const bool open = of_the_model.contains(setting.path);
    EXPECT_EQ(setting.fallback, open ? "" : written.at(setting.path).dump()) << setting.path;
  }
}

TEST(TranslateSettings, TheLimitsThatItDescribesAreThoseOfItsParser) {
  size_t checked = 0;
  const auto sections = TranslateSettings::describe();
  for (const auto& setting : sections.front().settings) {
    for (const test::Probe& probe : test::probes_of(setting)) {
      json source = {{"sampling", true}, {"mbr", "chrf"}, {"alignment", true}};
      source[setting.path] = probe.value;
      std::string error;
      try {
        TranslateSettings::parse(source, own());
      } catch (const ConfigError& thrown) {
        error = thrown.what();
      }
      EXPECT_EQ(error.starts_with(setting.path + ": must be "), !probe.allowed)
          << setting.path << " " << probe.value << ": " << error;
      ++checked;
    }
  }
  EXPECT_GT(checked, 30U);
}

}  // namespace
}  // namespace ventris::filters
