#pragma once
#include <string>

#include "text/model_proto.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace ventris::text {

/// Loads a serialised model into SentencePiece. This is the only function that does so. It first checks the model
/// (model_check.h) and removes its self-tests, which the library would run. Returns the parsed model, with views into
/// `bytes`. Throws ModelError beginning with `where`.
ModelProto load_processor(sentencepiece::SentencePieceProcessor& processor, const std::string& bytes,
                          const std::string& where);

}  // namespace ventris::text
