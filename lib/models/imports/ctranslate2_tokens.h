#pragma once
#include <optional>
#include <string>
#include <vector>

#include "imports/config_file.h"
#include "imports/ctranslate2_variables.h"
#include "imports/model_files.h"
#include "imports/vocabulary.h"
#include "model/language_tokens.h"

/// The tokens of a model of CTranslate2, which has no tokenizer: its vocabularies are lists of texts.
namespace ventris::imports {

/// The special tokens, and whether CTranslate2 (or what calls it) ends a source with eos.
struct SpecialTokens {
  std::string unk = "<unk>", bos = "<s>", eos = "</s>", start = "<s>";
  bool source_eos = false;
  bool eos_of_caller = false;  ///< source_eos, but added by the tokenizer of transformers
};

/// From config.json or, before file version 6, from variables. Throws ModelError for a model whose source begins with
/// bos, or whose first target token is given with each sentence.
SpecialTokens special_tokens(const CTranslate2Variables& variables, const std::optional<ConfigFile>& config);

/// Reads NAME_vocabulary.json or NAME_vocabulary.txt in a folder of `files`; with unk at the end, if it is not there.
/// Throws ModelError.
std::vector<std::string> read_tokens_of(const ModelFiles& files, const std::string& stem, const SpecialTokens& special);

/// Whether tokens are pieces of SentencePiece: one of them has U+2581.
bool are_pieces(const std::vector<std::string>& tokens);

/// The tokens as pieces, with U+2581 in front, so that a text of tokens separated by spaces has these pieces. Special
/// tokens stay as they are.
std::vector<std::string> spaced_pieces(std::vector<std::string> tokens, const SpecialTokens& special);

/// A tokenizer of a vocabulary of spaced_pieces(): a text is tokens separated by spaces, each of them a piece or unk.
/// It has no rules of normalisation.
std::string spaced_spm(const NewVocabulary& vocabulary);

/// The vocabulary of our model. `starts_from_zeros`: the decoder starts from a vector of zeros. `where` names the
/// vocabulary in messages. Throws ModelError for a special token that is not there.
NewVocabulary vocabulary_of(const std::vector<std::string>& tokens, const SpecialTokens& special,
                            bool starts_from_zeros, const std::vector<std::string_view>& spms,
                            const std::string& where);

/// new_spm(), but unchanged if it has the vocabulary as it is.
std::string spm_with(const std::string& spm, const NewVocabulary& vocabulary);

/// The languages of a multilingual model, if there are at least two tokens of languages in the vocabularies of both
/// sides: "deu_Latn" (NLLB), "de_DE" (mBART-50) or "__de__" (M2M-100), which come before source and target.
model::LanguageMap languages_of(const NewVocabulary& source, const NewVocabulary& target);

}  // namespace ventris::imports
