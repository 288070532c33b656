#include "metrics/signature.h"

#include <fmt/format.h>

#include "core/process.h"

namespace ventris::metrics {

std::string implementation() { return std::string("impl:ventris-") + core::version() + "|compat:2.6.0"; }

std::string bleu_signature(const BleuOptions& options, size_t references) {
  std::string smoothing = smoothing_names().at(static_cast<size_t>(options.smoothing));
  if (const auto value = smooth_value(options)) smoothing += fmt::format("[{:.2f}]", *value);
  std::string tokenization = tokenization_names().at(static_cast<size_t>(options.tokenization));
  if (options.tokenization == Tokenization::kSpm) tokenization += fmt::format("[{:08x}]", options.pieces->checksum());
  return fmt::format("nrefs:{}|case:{}|eff:{}|tok:{}|smooth:{}|{}", references, options.lowercase ? "lc" : "mixed",
                     options.effective_order ? "yes" : "no", tokenization, smoothing, implementation());
}

}  // namespace ventris::metrics
