// The entries of libventris_backend.so, which are found by name; see decoding/scorer_library.h.
#include "backend/open_module.h"
#include "core/process.h"

extern "C" {

__attribute__((visibility("default"))) ventris::decoding::ScorerFactory* ventris_open_scorers(
    const ventris::decoding::ScorerLibraryOptions& options) {
  ventris::core::use_stop_signal_of(options.stop_signal);
  return ventris::backend::open_model(options).release();
}

__attribute__((visibility("default"))) ventris::decoding::TextEncoderFactory* ventris_open_encoder(
    const ventris::decoding::ScorerLibraryOptions& options) {
  ventris::core::use_stop_signal_of(options.stop_signal);
  return ventris::backend::open_encoder(options).release();
}

__attribute__((visibility("default"))) const char* ventris_scorer_interface() {
  return ventris::decoding::scorer_interface();
}

__attribute__((visibility("default"))) const char* ventris_describe_scorers() {
  static const std::string text = ventris::backend::describe_libraries();
  return text.c_str();
}
}
