#include "imports/marian_vocabulary.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/error.h"
#include "files/files.h"
#include "imports/ctranslate2_tokens.h"
#include "imports/marian_settings.h"
#include "text/model_check.h"
#include "text/tokenizer.h"
#include "text/valid_utf8.h"

namespace ventris::imports {
namespace {

constexpr const char* kUnknownOfMarian = "<unk>";
constexpr const char* kEndOfMarian = "</s>";

struct NamedBytes {
  std::string bytes, where;
};

/// Reads one or two files; one stands for both sides.
std::vector<NamedBytes> read_sides(const std::vector<std::string>& paths) {
  std::vector<NamedBytes> files;
  for (const std::string& path : paths) files.push_back({files::read_plain_file(path), path});
  if (files.size() == 2 && files[0].bytes == files[1].bytes) files.pop_back();
  return files;
}

int64_t row_of_token(const std::vector<std::string>& texts, const char* token, const std::string& where) {
  const auto found = std::ranges::find(texts, token);
  if (found == texts.end()) fail<ModelError>(where, ": has no token ", token);
  return found - texts.begin();
}

/// The vocabulary of a .yml file.
Vocabulary vocabulary_of_yml(const NamedBytes& file, int64_t rows) {
  Vocabulary found{parse_marian_yml(file.bytes, rows, file.where), kZeroRow};
  found.unk = row_of_token(found.texts, kUnknownOfMarian, file.where);
  found.eos = row_of_token(found.texts, kEndOfMarian, file.where);
  found.start = kZeroRow;
  return found;
}

/// The vocabulary of a SentencePiece model whose ids are the rows.
Vocabulary vocabulary_of_spm(const NamedBytes& file, int64_t rows) {
  const text::ModelProto model = text::check_model(file.bytes, file.where);
  if (static_cast<int64_t>(model.pieces.size()) != rows) {
    fail<ModelError>(file.where, ": expected ", rows, " pieces, one for each row of the embeddings, found ",
                     model.pieces.size(), "; if the model has a vocabulary in a .yml file, give it with --vocabulary");
  }
  Vocabulary found;
  found.pad = found.start = found.unk = kZeroRow;
  for (const text::ModelPiece& piece : model.pieces) {
    if (piece.type == text::PieceType::kUnknown) found.unk = static_cast<int64_t>(found.texts.size());
    found.texts.emplace_back(piece.text);
  }
  if (found.unk == kZeroRow) fail<ModelError>(file.where, ": has no unknown piece");
  found.eos = row_of_token(found.texts, kEndOfMarian, file.where);
  return found;
}

/// Reads the tokens of both sides.
class MarianVocabularies {
 public:
  MarianVocabularies(const MarianVocabularyFiles& paths, Sides& sides, model::Package& package,
                     std::vector<std::string>& notes)
      : tokenizers_(read_sides(paths.tokenizers)),
        lists_(read_sides(paths.vocabularies)),
        sides_(sides),
        package_(package),
        notes_(notes) {}

  void run() {
    for (const NamedBytes& one : tokenizers_) text::check_model(one.bytes, one.where);
    if (tokenizers_.empty()) {
      take_spaced();
    } else if (lists_.empty()) {
      take_ids();
    } else {
      take_lists();
    }
    static_cast<void>(text::Tokenizer(package_.source_spm, "the tokenizer made of the source vocabulary"));
    static_cast<void>(text::Tokenizer(package_.target_spm, "the tokenizer made of the target vocabulary"));
  }

 private:
  const NamedBytes& source_list() const { return lists_.front(); }
  const NamedBytes& target_list() const { return lists_.back(); }

  /// The rows of both sides, if they have one vocabulary.
  int64_t common_rows(const std::string& where) const {
    if (sides_.source_rows == sides_.target_rows) return sides_.source_rows;
    fail<ModelError>(where, ": is the only vocabulary, but the model has ", sides_.source_rows,
                     " tokens of the source ", "and ", sides_.target_rows,
                     " of the target; give one file for each side");
  }

  /// The ids of SentencePiece models are the rows.
  void take_ids() {
    const NamedBytes &source = tokenizers_.front(), &target = tokenizers_.back();
    if (tokenizers_.size() == 1) common_rows(source.where);
    sides_.source = new_vocabulary(vocabulary_of_spm(source, sides_.source_rows), {source.bytes}, source.where);
    sides_.target = new_vocabulary(vocabulary_of_spm(target, sides_.target_rows), {target.bytes}, target.where);
    make_tokenizers();
  }

  void take_lists() {
    const std::string &source = tokenizers_.front().bytes, &target = tokenizers_.back().bytes;
    const NamedBytes& list = source_list();
    if (lists_.size() == 1) {
      const Vocabulary both = vocabulary_of_yml(list, common_rows(list.where));
      sides_.source = sides_.target = new_vocabulary(both, {source, target}, list.where);
    } else {
      sides_.source = new_vocabulary(vocabulary_of_yml(list, sides_.source_rows), {source}, list.where);
      sides_.target =
          new_vocabulary(vocabulary_of_yml(target_list(), sides_.target_rows), {target}, target_list().where);
    }
    make_tokenizers();
    note_pieces_without_row(sides_.source, notes_);
  }
  void make_tokenizers() {
    package_.source_spm = new_spm(tokenizers_.front().bytes, sides_.source);
    package_.target_spm = new_spm(tokenizers_.back().bytes, sides_.target);
  }

  /// Only lists: a text is tokens separated by spaces.
  void take_spaced() {
    if (lists_.empty()) {
      throw ConfigError(
          "--tokenizer: a model of Marian has no tokenizer; give the SentencePiece model with which it was trained "
          "(.spm), or two, of source and target, or give its vocabularies (.yml) with --vocabulary");
    }
    if (lists_.size() == 1) common_rows(source_list().where);
    sides_.source = spaced(source_list(), sides_.source_rows);
    sides_.target = spaced(target_list(), sides_.target_rows);
    package_.source_spm = spaced_spm(sides_.source);
    package_.target_spm = spaced_spm(sides_.target);
    notes_.emplace_back(
        "without a model of SentencePiece, a text must be tokens separated by spaces, and a translation is; give one "
        "with --tokenizer if the model was trained with one");
  }
  static NewVocabulary spaced(const NamedBytes& list, int64_t rows) {
    Vocabulary old = vocabulary_of_yml(list, rows);
    if (are_pieces(old.texts)) {
      fail<ConfigError>("--tokenizer: ", list.where,
                        " has pieces of SentencePiece; give the model of SentencePiece, or those of source and target");
    }
    old.texts = spaced_pieces(std::move(old.texts), SpecialTokens());
    return new_vocabulary(old, {}, list.where);
  }

  std::vector<NamedBytes> tokenizers_, lists_;
  Sides& sides_;
  model::Package& package_;
  std::vector<std::string>& notes_;
};

}  // namespace

void read_marian_vocabularies(const MarianVocabularyFiles& files, Sides& sides, model::Package& package,
                              std::vector<std::string>& notes) {
  MarianVocabularies(files, sides, package, notes).run();
}

std::vector<std::string> parse_marian_yml(const std::string& yaml, int64_t rows, const std::string& where) {
  std::vector<std::string> texts(static_cast<size_t>(rows));
  std::vector<bool> known(texts.size(), false);
  size_t number = 0;
  for (size_t begin = 0; begin < yaml.size();) {
    const size_t end = std::min(yaml.find('\n', begin), yaml.size());
    std::string_view line = std::string_view(yaml).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line == "---") continue;
    const size_t colon = std::min(line.rfind(": "), line.size());
    const std::string_view digits = line.substr(std::min(colon + 2, line.size()));
    uint64_t row = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), row);
    std::string text;
    if (error != std::errc() || stop != digits.data() + digits.size() ||
        !read_yaml_scalar(line.substr(0, colon), text)) {
      fail<ModelError>(where, ": line ", number, ": expected TOKEN: ROW");
    }
    if (row >= texts.size() || known[row]) {
      fail<ModelError>(where, ": line ", number, ": expected a row of its own from 0 to ", rows - 1, ", found ", row);
    }
    texts[row] = text::is_valid_utf8(text) ? text : "";
    known[row] = true;
  }
  return texts;
}

}  // namespace ventris::imports
