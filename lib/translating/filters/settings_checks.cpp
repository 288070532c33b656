#include "filters/settings_checks.h"

#include "core/error.h"
#include "filters/shard.h"

namespace ventris::filters {
namespace {

void check_inputs(const TranslateSettings& settings) {
  if (settings.translator.finish.replace_unk && !settings.allow_unk) {
    fail<ConfigError>(
        "replace_unk: has no effect, because unknown tokens are not generated; add "
        "--allow-unk");
  }
  if (settings.input == "-" && settings.force_prefix == "-") {
    fail<ConfigError>("input, force_prefix: standard input can be only one of them; give a file for the other");
  }
  if (settings.document.split_sentences && !settings.force_prefix.empty()) {
    fail<ConfigError>(
        "force_prefix: cannot be combined with split_sentences, because a prefix belongs to one sentence");
  }
  if (settings.document.places() && !settings.force_prefix.empty()) {
    fail<ConfigError>(
        "force_prefix: cannot be combined with placeholders and markup, because a prefix has no links to the source");
  }
}

void check_shard(const TranslateSettings& settings) {
  if (parse_shard(settings.shard).is_whole()) return;
  if (settings.input == "-") {
    fail<ConfigError>("shard: expected an input file, because standard input cannot be divided; add -i FILE");
  }
  if (!settings.force_prefix.empty()) {
    fail<ConfigError>("shard: cannot be combined with force_prefix; divide both files, for example with split -l");
  }
  if (settings.translator.context > 0 && settings.input_format == InputFormat::kText) {
    fail<ConfigError>(
        "shard: cannot be combined with context, because the first lines of a part need those before them; divide the "
        "input between two documents, or give JSON lines with their context");
  }
  if (settings.document.markup != markup::Markup::kNone && settings.input_format == InputFormat::kText) {
    fail<ConfigError>("shard: cannot be combined with markup, because a document is one text");
  }
  if (settings.document.split_sentences && settings.translator.search.sampling.enabled) {
    fail<ConfigError>(
        "shard: cannot be combined with sampling of split sentences, whose random numbers depend on all sentences "
        "before");
  }
}

void check_phrases(const TranslateSettings& settings) {
  if (settings.terms == "-") fail<ConfigError>("terms: cannot be standard input; give a file");
  if (settings.terms.empty() && settings.translator.term_use == translation::TermUse::kSuggest) {
    fail<ConfigError>("term_use: has an effect only with terms; give a list with --terms FILE, or leave it out");
  }
  if (!settings.constraints) return;
  if (settings.input_format != InputFormat::kJsonl) {
    fail<ConfigError>(
        "constraints: are read from JSON lines; add --input-format jsonl, or give a list of terms with --terms FILE");
  }
  if (settings.document.split_sentences || settings.document.markup != markup::Markup::kNone) {
    fail<ConfigError>(
        "constraints: cannot be combined with split_sentences and markup, because a phrase belongs to one sentence; "
        "give a list of terms with --terms FILE");
  }
}

}  // namespace

void check_sampling(const decoding::Sampling& sampling) {
  const bool shaped = sampling.top_k != 0 || sampling.top_p != 1.0 || sampling.temperature != 1.0;
  if (shaped && !sampling.enabled) {
    fail<ConfigError>("top_k, top_p, temperature: have an effect only with sampling; add --sampling");
  }
}

void check_shortlist(const translation::ShortlistSettings& shortlist) {
  const engine::ShortlistOptions usual;
  if (shortlist.lexicon.empty() && (shortlist.options.best != usual.best || shortlist.options.first != usual.first)) {
    fail<ConfigError>("shortlist_best, shortlist_first: have an effect only with a shortlist; add --shortlist FILE");
  }
}

/// A document in lines cannot be written as one line.
void check_document_lines(const TranslateSettings& settings) {
  if (!markup::keeps_bytes(settings.document.markup)) return;
  if (settings.input_format == InputFormat::kJsonl && markup::is_package(settings.document.markup)) {
    fail<ConfigError>("markup: DOCX, ODT and EPUB are zip files, which JSON lines cannot have; give each file with -i");
  }
  if (markup::is_package(settings.document.markup) && settings.written.format != OutputFormat::kText) {
    fail<ConfigError>("format: must be text for DOCX, ODT and EPUB, which are zip files");
  }
  if (settings.input_format == InputFormat::kJsonl && settings.written.format != OutputFormat::kJsonl) {
    fail<ConfigError>(
        "format: must be jsonl for documents of this markup in JSON lines, because they have several lines");
  }
}

/// What cannot be combined. If only the name of the input says that it is a document, the message tells so.
void check_combinations(const TranslateSettings& settings) {
  try {
    check(documents::translator_options(settings.document, settings.translator));
    check_inputs(settings);
    check_shard(settings);
    check_phrases(settings);
  } catch (const ConfigError& error) {
    const std::string message = error.what();
    if (settings.named_markup.empty() || message.find("markup") == std::string::npos) throw;
    fail<ConfigError>(message, " (", settings.markup_note(), ")");
  }
}

}  // namespace ventris::filters
