#pragma once
#include "serving/serve_settings.h"

namespace ventris::serving {

/// Serves until SIGTERM, SIGINT, SIGUSR1 or SIGUSR2, then answers the requests that have arrived, and returns. Writes
/// the URL to standard output as soon as it can be used. SIGHUP loads the models and the keys again, and opens the
/// access log again; if that fails, the old ones go on. Throws ConfigError, DataError, ModelError and WriteError for
/// what is wrong at the start, and Interrupted if requests could not be answered in time, or after a second signal.
void serve(const ServeSettings& settings);

}  // namespace ventris::serving
