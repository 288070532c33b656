#include "imports/token_lists.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/utf8.h"
#include "files/files.h"
#include "imports/ctranslate2_tokens.h"
#include "text/model_check.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

/// Rows without a token are no text.
void hide_rows_without_token(NewVocabulary& vocabulary) {
  for (int64_t id = 0; id < vocabulary.own_rows; ++id) {
    const std::string& text = vocabulary.texts[static_cast<size_t>(id)];
    if (text.starts_with("<row ")) vocabulary.control.insert(text);
  }
}

/// Marks the pieces that have no row and more than one character.
void divide_missing(NewVocabulary& vocabulary) {
  for (auto id = static_cast<size_t>(vocabulary.own_rows); id < vocabulary.texts.size(); ++id) {
    const std::string& text = vocabulary.texts[id];
    const auto begins = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; };
    if (std::ranges::count_if(text, begins) > 1) vocabulary.unused.insert(text);
  }
}

NewVocabulary spaced(TokenList list) {
  std::vector<std::string>& texts = list.tokens.texts;
  const Vocabulary& old = list.tokens;
  for (size_t row = 0; row < texts.size(); ++row) {
    const auto number = static_cast<int64_t>(row);
    const bool special = number == old.pad || number == old.unk || number == old.eos || number == old.start;
    if (!special && !texts[row].empty()) texts[row].insert(0, "\u2581");
  }
  return new_vocabulary(old, {}, list.where);
}

class TokenListTaker {
 public:
  TokenListTaker(const TokenList& source, const TokenList& target, const std::vector<std::string>& tokenizers)
      : source_(source), target_(target) {
    for (const std::string& path : tokenizers) {
      spms_.push_back(files::read_plain_file(path));
      text::check_model(spms_.back(), path);
    }
  }

  void run(MissingPieces missing, Sides& sides, model::Package& package, std::vector<std::string>& notes) const {
    sides.source_rows = std::ssize(source_.tokens.texts);
    sides.target_rows = std::ssize(target_.tokens.texts);
    spms_.empty() ? take_spaced(sides, package, notes) : take_pieces(missing, sides, package, notes);
    static_cast<void>(text::Tokenizer(package.source_spm, "the tokenizer made of the source vocabulary"));
    static_cast<void>(text::Tokenizer(package.target_spm, "the tokenizer made of the target vocabulary"));
  }

 private:
  bool have_one_vocabulary() const {
    const Vocabulary &a = source_.tokens, &b = target_.tokens;
    return a.texts == b.texts && a.pad == b.pad && a.unk == b.unk && a.eos == b.eos;
  }

  void take_pieces(MissingPieces missing, Sides& sides, model::Package& package,
                   std::vector<std::string>& notes) const {
    const std::string &of_source = spms_.front(), &of_target = spms_.back();
    sides.target = new_vocabulary(target_.tokens,
                                  have_one_vocabulary() ? std::vector<std::string_view>{of_source, of_target}
                                                        : std::vector<std::string_view>{of_target},
                                  target_.where);
    sides.source = have_one_vocabulary() ? sides.target : new_vocabulary(source_.tokens, {of_source}, source_.where);
    for (NewVocabulary* side : {&sides.source, &sides.target}) {
      hide_rows_without_token(*side);
      if (missing == MissingPieces::kDivided) divide_missing(*side);
    }
    package.source_spm = new_spm(of_source, sides.source);
    package.target_spm = new_spm(of_target, sides.target);
    if (missing == MissingPieces::kUnknown) note_pieces_without_row(sides.source, notes);
  }

  void take_spaced(Sides& sides, model::Package& package, std::vector<std::string>& notes) const {
    for (const TokenList* list : {&source_, &target_}) {
      if (!are_pieces(list->tokens.texts)) continue;
      fail<ConfigError>("--tokenizer: ", list->where,
                        " has pieces of SentencePiece; give the model of SentencePiece, or those of source and target");
    }
    sides.source = spaced(source_);
    sides.target = spaced(target_);
    package.source_spm = spaced_spm(sides.source);
    package.target_spm = spaced_spm(sides.target);
    notes.emplace_back(
        "without a model of SentencePiece, a text must be tokens separated by spaces, and a translation is; divide "
        "texts as for the training of the model, for example with its BPE codes");
  }

  const TokenList &source_, &target_;
  std::vector<std::string> spms_;
};

}  // namespace

int64_t row_of_token(const std::vector<std::string>& texts, const std::string& token, const char* what,
                     const std::string& where) {
  const auto found = std::ranges::find(texts, token);
  if (found == texts.end()) fail<ModelError>(where, ": has no token '", core::cut_utf8(token, 60), "', the ", what);
  return found - texts.begin();
}

void check_row_count(const TokenList& list, const TensorSource& tensors, const std::string& table) {
  const int64_t rows = matrix_shape(tensors, table).first, found = std::ssize(list.tokens.texts);
  if (rows == found) return;
  fail<ModelError>(list.where, ": expected ", rows, " tokens, one for each row of '", table, "' in ", tensors.where(),
                   ", found ", found);
}

void take_token_lists(const TokenList& source, const TokenList& target, const std::vector<std::string>& tokenizers,
                      MissingPieces missing, Sides& sides, model::Package& package, std::vector<std::string>& notes) {
  TokenListTaker(source, target, tokenizers).run(missing, sides, package, notes);
}

}  // namespace ventris::imports
