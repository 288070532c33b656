#include "serving/multipart.h"

#include <algorithm>
#include <string_view>

#include "serving/form.h"

namespace ventris::serving {
namespace {

[[noreturn]] void refuse_multipart(const std::string& why) {
  throw RequestError(400, "Invalid request: multipart/form-data: " + why);
}

/// The value of `; name=value` or `; name="value"`; empty if it is missing.
std::string parameter_of(std::string_view header, const std::string& name) {
  const std::string lower = in_lower_case(header);
  for (size_t at = lower.find(name + "="); at != std::string::npos; at = lower.find(name + "=", at + 1)) {
    if (at > 0 && lower[at - 1] != ' ' && lower[at - 1] != ';') continue;
    std::string_view value = header.substr(at + name.size() + 1);
    if (!value.starts_with('"')) return std::string(value.substr(0, value.find(';')));
    value.remove_prefix(1);
    return std::string(value.substr(0, value.find('"')));
  }
  return "";
}

FormPart part_of(std::string_view bytes) {
  const size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) refuse_multipart("a part has no end of its headers");
  FormPart part;
  std::string_view headers = bytes.substr(0, end);
  while (!headers.empty()) {
    const std::string_view line = headers.substr(0, headers.find("\r\n"));
    headers.remove_prefix(std::min(line.size() + 2, headers.size()));
    if (!in_lower_case(line).starts_with("content-disposition:")) continue;
    part.name = parameter_of(line, "name");
    part.file_name = parameter_of(line, "filename");
  }
  part.content = bytes.substr(end + 4);
  return part;
}

}  // namespace

std::vector<FormPart> parse_multipart(const std::string& body, const std::string& content_type) {
  const std::string boundary = parameter_of(content_type, "boundary");
  if (boundary.empty() || boundary.size() > 70) refuse_multipart("expected a boundary of 1 to 70 characters");
  const std::string mark = "\r\n--" + boundary;
  std::vector<FormPart> parts;
  std::string_view left = body;
  if (!left.starts_with(std::string_view(mark).substr(2)))
    refuse_multipart("the body does not begin with its boundary");
  left.remove_prefix(mark.size() - 2);
  while (!left.starts_with("--")) {
    const size_t end = left.find(mark);
    if (!left.starts_with("\r\n") || end == std::string_view::npos) refuse_multipart("the last boundary is missing");
    if (parts.size() == kMostParts) refuse_multipart("more than " + std::to_string(kMostParts) + " parts");
    parts.push_back(part_of(left.substr(2, end - 2)));
    left.remove_prefix(end + mark.size());
  }
  return parts;
}

}  // namespace ventris::serving
