#pragma once
#include <nlohmann/json_fwd.hpp>

#include "serving/http_message.h"

namespace ventris::serving {

/// How a protocol writes an error.
using ErrorShape = nlohmann::ordered_json (*)(const RequestError& error);

nlohmann::ordered_json libre_error(const RequestError& error);   ///< {"error": "..."}
nlohmann::ordered_json deepl_error(const RequestError& error);   ///< {"message": "..."}
nlohmann::ordered_json google_error(const RequestError& error);  ///< {"error": {"code": 400, "message": "..."}}

}  // namespace ventris::serving
