#include "encoding/input.h"

#include <utility>

#include "architecture/bert_options.h"
#include "metrics/unicode.h"
#include "text/valid_utf8.h"
#include "translation/alignment.h"
#include "translation/model_text.h"

namespace ventris::encoding {
namespace {

constexpr const char* kSpace = "\u2581";

}  // namespace

std::vector<std::span<const int32_t>> texts_of(const std::vector<const Input*>& batch) {
  std::vector<std::span<const int32_t>> texts;
  for (const Input* input : batch) texts.emplace_back(input->ids);
  return texts;
}

Pieces pieces_of(const Input& input, const core::SpecialIds& ids) {
  if (input.ids.empty()) return {};
  const size_t begin = input.ids.front() == ids.bos ? 1 : 0, end = input.ids.back() == ids.eos ? 1 : 0;
  return {begin, input.ids.size() - begin - end};
}

InputMaker::InputMaker(const model::Package& package)
    : tokenizer_(translation::source_tokenizer(package)), ids_(package.config.tokenizer.ids) {
  const architecture::Architecture& model = *package.config.architecture;
  const auto* bert = dynamic_cast<const architecture::BertEncoderArchitecture*>(&model);
  begins_with_cls_ = bert != nullptr;
  ends_with_eos_ = bert != nullptr || package.config.tokenizer.source_eos;
  const int64_t positions = bert != nullptr ? bert->options.max_positions : model.max_length();
  most_ = static_cast<size_t>(positions - (begins_with_cls_ ? 1 : 0) - (ends_with_eos_ ? 1 : 0));
  if (model.special_pieces().empty()) return;  // a model that was not trained with [MASK]
  mask_id_ = tokenizer_.id_of(architecture::BertArchitecture::kMask);
  space_id_ = tokenizer_.id_of(kSpace);
}

/// A tokenizer gives the space before a [MASK] a token of its own. In training, [MASK] stands for a piece with its
/// space.
void InputMaker::drop_spaces(Input& input) const {
  if (mask_id_ < 0 || space_id_ < 0) return;
  Input kept;
  for (size_t i = 0; i < input.ids.size(); ++i) {
    const bool before_mask = i + 1 < input.ids.size() && input.ids[i + 1] == mask_id_;
    if (before_mask && input.ids[i] == space_id_) continue;
    kept.ids.push_back(input.ids[i]);
    kept.words.push_back(input.words[i]);
  }
  input.ids = std::move(kept.ids);
  input.words = std::move(kept.words);
}

Input InputMaker::make(const std::string& line) const {
  Input input;
  if (text::is_blank(line)) return input;
  input.ids = tokenizer_.encode(line);
  input.words = translation::words_of(line, tokenizer_.places(line));
  input.word_count = static_cast<int64_t>(metrics::split_words(line).size());
  drop_spaces(input);
  if (input.ids.empty()) return input;
  input.cut = input.ids.size() > most_;
  if (input.cut) input.ids.resize(most_);
  input.words.resize(input.ids.size());
  if (begins_with_cls_) {
    input.ids.insert(input.ids.begin(), ids_.bos);
    input.words.insert(input.words.begin(), -1);
  }
  if (ends_with_eos_) {
    input.ids.push_back(ids_.eos);
    input.words.push_back(-1);
  }
  return input;
}

}  // namespace ventris::encoding
