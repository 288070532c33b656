#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace ventris::text {

/// What we ask a serialised SentencePiece model before its library sees it. The library does not install the message
/// definitions; field numbers are those of sentencepiece_model.proto, which never change.
struct ModelProtoSummary {
  bool well_formed = false;  ///< a protobuf message to its last byte, with pieces in it
  int64_t pieces = 0;
  int64_t model_type = 1;    ///< trainer_spec.model_type: 1 unigram, 2 BPE, 3 word, 4 char
};

ModelProtoSummary summarise_model_proto(std::string_view bytes);

/// Ids of the pieces that are never split nor merged (type USER_DEFINED), ascending; of a well-formed model.
std::vector<int32_t> user_defined_pieces(std::string_view bytes);

}  // namespace ventris::text
