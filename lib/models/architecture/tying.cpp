#include "architecture/tying.h"

#include "core/error.h"

namespace ventris::architecture {

void check_tied_tokenizers(Tying tying, bool shared) {
  if (tying != Tying::kAll || shared) return;
  fail<ConfigError>(
      "model.tying: 'all' shares the embeddings of both sides, which needs one tokenizer (\"tokenizer\": "
      "{\"shared\": true}); use 'decoder' or 'none', or one tokenizer");
}

}  // namespace ventris::architecture
