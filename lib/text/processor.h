#pragma once
#include <string>

#include "text/model_proto.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace ventris::text {

/// Gives a serialised model to SentencePiece; nothing else in the tree does. It is checked first (model_check.h), and
/// its self-tests are left out, which the library would run. Returns what the model says, with views into `bytes`.
/// Throws ModelError beginning with `where`.
ModelProto load_processor(sentencepiece::SentencePieceProcessor& processor, const std::string& bytes,
                          const std::string& where);

}  // namespace ventris::text
