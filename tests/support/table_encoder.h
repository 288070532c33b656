#pragma once
#include <memory>
#include <vector>

#include "decoding/text_encoder.h"

namespace ventris::test {

/// An encoder whose results are simple functions of the ids, so that a test can say what to expect. Of a token with id
/// t at place i of its text, the state is [t, i, layer, 1]; without a layer, the layer is -1.
class TableEncoder : public decoding::TextEncoder {
 public:
  explicit TableEncoder(const decoding::TextEncoderInfo& info, int64_t vocab) : info_(info), vocab_(vocab) {}

  const decoding::TextEncoderInfo& info() const override { return info_; }

  std::span<const float> states(decoding::TokenTexts texts, std::optional<int64_t> layer) override {
    result_.clear();
    for (const auto& text : texts) {
      for (size_t i = 0; i < text.size(); ++i) {
        result_.insert(result_.end(), {static_cast<float>(text[i]), static_cast<float>(i),
                                       static_cast<float>(layer.value_or(-1)), 1.0F});
      }
    }
    return result_;
  }
  /// [the length of the text, 0, 0, 1]
  std::span<const float> pooled(decoding::TokenTexts texts) override {
    result_.clear();
    for (const auto& text : texts) result_.insert(result_.end(), {static_cast<float>(text.size()), 0, 0, 1});
    return result_;
  }
  /// Place p makes id k as probable as 1 / (1 + the distance of k and 10 + p).
  std::span<const float> token_probabilities(decoding::TokenTexts /*texts*/, std::span<const size_t> places) override {
    result_.clear();
    for (const size_t place : places) {
      for (int64_t id = 0; id < vocab_; ++id) {
        const auto distance = id - static_cast<int64_t>(10 + place);
        result_.push_back(1.0F / static_cast<float>(1 + (distance < 0 ? -distance : distance)));
      }
    }
    return result_;
  }
  /// Label k has the probability of its place in `label_table`, whatever the text.
  std::span<const float> label_probabilities(decoding::TokenTexts texts) override {
    result_.clear();
    for (size_t i = 0; i < texts.size(); ++i) result_.insert(result_.end(), label_table.begin(), label_table.end());
    return result_;
  }

  std::vector<float> label_table;

 private:
  decoding::TextEncoderInfo info_;
  int64_t vocab_;
  std::vector<float> result_;
};

/// Makes such encoders.
class TableEncoders : public decoding::TextEncoderFactory {
 public:
  TableEncoders(const decoding::TextEncoderInfo& info, int64_t vocab, std::vector<float> label_table = {})
      : info_(info), vocab_(vocab), label_table_(std::move(label_table)) {}
  std::unique_ptr<decoding::TextEncoder> make_encoder() const override {
    auto made = std::make_unique<TableEncoder>(info_, vocab_);
    made->label_table = label_table_;
    return made;
  }

 private:
  decoding::TextEncoderInfo info_;
  int64_t vocab_;
  std::vector<float> label_table_;
};

}  // namespace ventris::test
