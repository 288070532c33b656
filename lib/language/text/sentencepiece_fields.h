#pragma once
#include <cstdint>

/// The numbers of the fields of a SentencePiece model, as in sentencepiece_model.proto.
namespace ventris::text::fields {

// Of ModelProto; of a piece; of TrainerSpec; of NormalizerSpec.
inline constexpr uint32_t kPieces = 1, kTrainer = 2, kNormalizer = 3, kSelfTests = 4, kDenormalizer = 5;
inline constexpr uint32_t kPieceText = 1, kPieceScore = 2, kPieceType = 3;
inline constexpr uint32_t kModelType = 3, kVocabSize = 4, kByteFallback = 35, kUnknownSurface = 44;
inline constexpr uint32_t kCharsmap = 2;

}  // namespace ventris::text::fields
