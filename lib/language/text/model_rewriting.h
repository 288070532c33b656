#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/special_ids.h"
#include "text/model_proto.h"

namespace ventris::text {

/// A piece of a new model.
struct NewPiece {
  std::string text;
  float score = 0;
  PieceType type = PieceType::kNormal;
};

/// The model with these pieces instead of its own, and with the rules for normalisation and all other settings as they
/// are. `ids` are those of the special pieces; -1 = there is no such piece. `bytes` must be a well-formed model.
std::string with_pieces(std::string_view bytes, const std::vector<NewPiece>& pieces, const ForeignRules& rules = {},
                        const core::SpecialIds& ids = {});

/// A model of TokenizerKind::kPieces with these pieces, of which the first four are the special ones. A piece that
/// begins with U+2581 and has no space is found in a text; the others only have an id and can be written.
std::string words_model(const std::vector<std::string>& texts);

}  // namespace ventris::text
