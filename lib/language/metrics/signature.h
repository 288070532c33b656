#pragma once
#include <string>

#include "metrics/bleu.h"

namespace ventris::metrics {

/// The end of a signature: "impl:ventris-0.1.0|compat:2.6.0", where sacreBLEU has its version.
std::string implementation();

/// What sacreBLEU calls the signature of a BLEU score: key:value pairs, separated by |.
std::string bleu_signature(const BleuOptions& options, size_t references);

}  // namespace ventris::metrics
