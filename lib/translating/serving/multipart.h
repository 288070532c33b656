#pragma once
#include <string>
#include <vector>

#include "serving/http_message.h"

namespace ventris::serving {

/// A part of a body of the type multipart/form-data.
struct FormPart {
  std::string name;
  std::string file_name;  ///< empty if the part is no file
  std::string content;
};

inline constexpr size_t kMostParts = 32;

/// Reads a body of the type multipart/form-data; `content_type` has its boundary. Throws RequestError (400) if it is
/// not complete, or has more than kMostParts parts.
std::vector<FormPart> parse_multipart(const std::string& body, const std::string& content_type);

}  // namespace ventris::serving
