#include "core/error.h"
#include "fuzz/targets.h"
#include "support/model_writer.h"
#include "support/tiny_text.h"
#include "text/model_check.h"
#include "text/piece_encoder.h"
#include "text/tokenizer.h"
#include "text/valid_utf8.h"

/// SentencePiece models, which the library would read without looking.
namespace ventris::fuzz {
namespace {

const std::vector<std::string>& texts() {
  static const std::vector<std::string> kTexts{"",
                                               "The old man sees the bridge.",
                                               "a aa ab </s><unk><0x41> \u00e9e\u0301",
                                               "\uFB01\u3000\u200B\uFEFF\u2581",
                                               std::string("\0\x01\x7F", 3),
                                               std::string(60, 'a')};
  return kTexts;
}

void use(const text::Tokenizer& tokenizer) {
  for (const std::string& text : texts()) {
    const auto ids = tokenizer.encode(text);
    require(text::is_valid_utf8(tokenizer.decode(ids)), "decoded text is UTF-8");
    static_cast<void>(tokenizer.places(text));
    static_cast<void>(tokenizer.sample(text, 0.3, 5));
  }
}

void read_sentencepiece(std::string_view input) {
  const std::string bytes(input);
  text::check_model(bytes, "source.spm");
  const text::PieceEncoder encoder(bytes, "source.spm");
  for (const std::string& text : texts()) {
    try {
      static_cast<void>(encoder.encode(text));
    } catch (const ModelError&) {  // a word model whose control piece is in the text
    }
  }
  use(text::Tokenizer(bytes, "source.spm"));
}

std::vector<std::string> sentencepiece_seeds() {
  using text::PieceType;
  const auto rule = test::CharsmapWriter().put(0, test::CharsmapWriter::node(0, 1));
  const std::string user =
      test::piece_field("the", PieceType::kUserDefined) + test::piece_field("th", PieceType::kUserDefined);
  return {test::written_model(3), test::written_model(26) + test::charsmap_field(rule.write()),
          test::written_model(5) + user + test::trainer_field(test::number_field(3, 2)),
          test::tiny_tokenizer(text::TokenizerKind::kUnigram).bytes(),
          test::tiny_tokenizer(text::TokenizerKind::kBpe).bytes()};
}

const Registration kSentencepiece("sentencepiece", read_sentencepiece, sentencepiece_seeds);

}  // namespace
}  // namespace ventris::fuzz
