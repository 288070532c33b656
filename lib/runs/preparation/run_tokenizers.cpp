#include "preparation/run_tokenizers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/log.h"
#include "core/process.h"
#include "core/progress.h"
#include "data/pair_lines.h"
#include "files/files.h"
#include "files/paths.h"
#include "text/line_reader.h"
#include "text/model_check.h"
#include "text/placeholder_words.h"
#include "text/term_marks.h"
#include "text/word_ids.h"

namespace ventris::preparation {
namespace {

/// Lines of one side of a corpus: source (0) or target (1). Running text and labelled text have only a source.
class SideReader {
 public:
  SideReader(const data::CorpusFiles& files, size_t side) : side_(side) {
    if (files.running_text) {
      if (side == 0) lines_.emplace(files.source);
    } else if (files.labelled) {
      if (side == 0) pairs_.emplace(files);
    } else if (files.target.empty()) {
      pairs_.emplace(files);
    } else {
      lines_.emplace(side == 0 ? files.source : files.target);
    }
  }

  bool next(std::string& line) {
    if (lines_) return lines_->next(line);
    if (!pairs_) return false;
    std::array<std::string, 2> sides;
    do {
      if (!pairs_->next(sides[0], sides[1])) return false;
    } while (!pairs_->has_text());
    line = std::move(sides.at(side_));
    return true;
  }

 private:
  size_t side_;
  std::optional<text::LineReader> lines_;  // if the sides are two files, only this side's is read
  std::optional<data::PairLines> pairs_;
};

void add_once(const std::string& piece, std::vector<std::string>& pieces) {
  if (std::find(pieces.begin(), pieces.end(), piece) == pieces.end()) pieces.push_back(piece);
}

/// The pieces that a kind of modifiers writes into the sources (`column` 0) or the targets.
std::vector<std::string_view> pieces_of(modifiers::ModifierKind kind, size_t column) {
  if (kind == modifiers::ModifierKind::kTags) return {text::kPlaceholderWords.begin(), text::kPlaceholderWords.end()};
  if (kind == modifiers::ModifierKind::kTerms && column == 0) return {text::kTermBegin, text::kTermEnd};
  return {};
}

/// Throws ConfigError unless all that the modifiers write are pieces.
void check_modifier_pieces(const settings::RunConfig& config, const text::Tokenizer& tokenizer, size_t column) {
  for (const modifiers::Modifier& modifier : config.data.modifiers) {
    const std::vector<std::string_view> pieces = pieces_of(modifier.kind, column);
    for (const std::string_view piece : pieces) {
      if (text::id_of_word(tokenizer, piece) >= 0) continue;
      fail<ConfigError>("data.modifiers: the kind '", modifiers::name_of(modifier.kind), "' needs the pieces ",
                        pieces.front(), pieces.size() > 2 ? " to " : " and ", pieces.back(),
                        ", but the tokenizer of the ", column == 0 ? "source" : "target", " has no piece ", piece,
                        "; let the run learn its tokenizer, or learn one with ventris-vocab --user-pieces");
    }
  }
}

/// Throws ConfigError unless the separator of context is a piece.
void check_separator(const settings::RunConfig& config, const text::Tokenizer& tokenizer, const char* side) {
  const data::ContextOptions& context = config.data.context;
  if (context.sentences == 0 || text::id_of_word(tokenizer, context.separator) >= 0) return;
  fail<ConfigError>("data.context.separator: the tokenizer of the ", side, " has no piece ", context.separator,
                    "; let the run learn its tokenizer, learn one with ventris-vocab --user-pieces ", context.separator,
                    ", or name a piece that it has");
}

std::string learn(const settings::RunConfig& config, std::initializer_list<size_t> columns) {
  std::vector<std::pair<data::CorpusFiles, size_t>> turns;  // each file is opened when its turn comes
  text::TokenizerTraining learning = config.tokenizer.learning;
  for (const size_t column : columns) {
    for (const data::CorpusSpec& corpus : config.data.training()) {
      turns.emplace_back(corpus.files, column);
      if (column == 0 && !corpus.tag.empty()) add_once(corpus.tag, learning.user_pieces);
    }
  }
  for (const std::string& piece : config.model->special_pieces()) add_once(piece, learning.user_pieces);
  for (const modifiers::Modifier& modifier : config.data.modifiers) {
    for (const size_t column : columns) {
      for (const std::string_view piece : pieces_of(modifier.kind, column)) {
        add_once(std::string(piece), learning.user_pieces);
      }
    }
  }
  if (config.data.context.sentences > 0) add_once(config.data.context.separator, learning.user_pieces);
  size_t turn = 0;
  std::optional<SideReader> reader;
  core::Progress progress("reading for the tokenizer", "lines");
  const text::LineSource lines = [&](std::string& line) {
    while (turn < turns.size()) {
      if (!reader) reader.emplace(turns[turn].first, turns[turn].second);
      progress.add();
      if (const int signal = core::stop_signal(); signal != 0) {
        throw Interrupted(signal, "stopped by a signal while reading for the tokenizer");
      }
      if (reader->next(line)) return true;
      reader.reset();
      ++turn;
    }
    progress.phase("learning a tokenizer");
    return false;
  };
  core::log_info(fmt::format("learning a tokenizer of at most {} pieces", learning.vocab_size));
  return text::learn_tokenizer(lines, learning);
}

text::Tokenizer given_or_learnt(const settings::RunConfig& config, const std::string& given,
                                std::initializer_list<size_t> columns) {
  if (!given.empty()) return text::Tokenizer::from_file(given);
  return {learn(config, columns), "the learnt tokenizer"};
}

/// The tokenizer of a resumed run. If the settings name a file, it must have the same tokenizer.
text::Tokenizer tokenizer_of(const run::Checkpoint& checkpoint, const std::string& bytes, const std::string& given,
                             const char* setting) {
  if (!given.empty() && files::exists(given) && files::read_file(given) != bytes) {
    fail<ConfigError>(setting, ": ", given,
                      " is not the tokenizer that this run was begun with; leave it out, use another ",
                      "--model folder, or --overwrite to start a new run");
  }
  return {bytes, checkpoint.path + ": tokenizer"};
}

/// Throws ConfigError if the tokenizer does not have the pieces that the model needs.
void check_special_pieces(const settings::RunConfig& config, const text::Tokenizer& tokenizer) {
  for (const std::string& piece : config.model->special_pieces()) {
    if (tokenizer.id_of(piece) >= 0) continue;
    fail<ConfigError>("tokenizer.source: ", config.tokenizer.source, " has no piece ", piece,
                      ", which a model of the family '", config.model->family(),
                      "' needs; let the run learn its tokenizer, or learn one with ventris-vocab --user-pieces ",
                      piece);
  }
}

/// Those of the settings, and those of corpora whose tag tells the model the language of their targets.
model::LanguageMap languages_of(const settings::RunConfig& config, const text::Tokenizer& source) {
  model::LanguageMap languages = config.tokenizer.languages;
  for (const data::CorpusSpec& corpus : config.data.training()) {
    if (!corpus.tag_tells_language()) continue;
    std::vector<std::string> pieces;
    for (const int32_t id : data::tag_ids(source, corpus.tag)) pieces.push_back(source.piece(id));
    std::vector<std::string>& prefix = languages[corpus.target_language].to_prefix;
    if (!prefix.empty() && prefix != pieces) {
      fail<ConfigError>("data.corpora: ", corpus.files.source, ": the language '", corpus.target_language,
                        "' already has another tag; give all of its corpora the same one");
    }
    prefix = pieces;
  }
  return languages;
}

model::GuidedAttention guided_attention_of(const settings::RunConfig& config) {
  const settings::GuidedAlignmentConfig& guided = config.training.guided_alignment;
  if (!guided.on() || guided.weight == 0) return {};
  const int64_t layers = config.model->guidable_attention().layers;
  return {guided.layer > 0 ? guided.layer : architecture::default_alignment_layer(layers), guided.head,
          guided.step == settings::GuidedStep::kReading};
}

model::ContextPolicy context_of(const data::ContextOptions& context) {
  if (context.sentences == 0) return {};
  return {context.sentences, context.sides == data::ContextSides::kBoth, context.separator};
}

}  // namespace

Tokenizers prepare_tokenizers(const settings::RunConfig& config, const OpenedRun& run) {
  const settings::TokenizerConfig& wanted = config.tokenizer;
  if (wanted.shared && !wanted.target.empty() && wanted.target != wanted.source) {
    fail<ConfigError>("tokenizer.target: a second tokenizer (", wanted.target, ") needs \"shared\": false");
  }
  if (run.checkpoint) {
    const run::Checkpoint& checkpoint = *run.checkpoint;
    const auto source = tokenizer_of(checkpoint, checkpoint.source_spm, wanted.source, "tokenizer.source");
    if (wanted.shared) return {source, source};
    return {source, tokenizer_of(checkpoint, checkpoint.target_spm, wanted.target, "tokenizer.target")};
  }
  if (run.base) {
    const model::Package& base = run.base->package;
    return {{base.source_spm, base.path + ": source.spm"}, {base.target_spm, base.path + ": target.spm"}};
  }
  if (run.encoder) {
    const model::Package& bert = run.encoder->package;
    const text::Tokenizer source(bert.source_spm, bert.path + ": source.spm");
    return {source, wanted.shared ? source : given_or_learnt(config, wanted.target, {1})};
  }
  if (wanted.shared) {
    const auto both = given_or_learnt(config, wanted.source, {0, 1});
    check_special_pieces(config, both);
    return {both, both};
  }
  return {given_or_learnt(config, wanted.source, {0}), given_or_learnt(config, wanted.target, {1})};
}

model::Package package_of(const settings::RunConfig& config, const Tokenizers& tokenizers) {
  check_modifier_pieces(config, tokenizers.source, 0);
  check_modifier_pieces(config, tokenizers.target, 1);
  check_separator(config, tokenizers.source, "source");
  if (config.data.context.sides == data::ContextSides::kBoth) check_separator(config, tokenizers.target, "target");
  if (config.tokenizer.common_ids) {
    text::check_common_ids(*text::parse_model_proto(tokenizers.source.bytes()),
                           *text::parse_model_proto(tokenizers.target.bytes()), "tokenizer.target");
  }
  model::Package package;
  package.config.architecture = config.model->with_vocabularies(tokenizers.source.size(), tokenizers.target.size());
  package.config.tokenizer.shared = config.tokenizer.shared;
  package.config.tokenizer.common_ids = config.tokenizer.common_ids;
  package.config.tokenizer.languages = languages_of(config, tokenizers.source);
  package.config.decoding = config.decoding;
  package.config.guided_attention = guided_attention_of(config);
  package.config.context = context_of(config.data.context);
  package.source_spm = tokenizers.source.bytes();
  package.target_spm = tokenizers.target.bytes();
  return package;
}

}  // namespace ventris::preparation
