#include "serving/multipart.h"

#include <algorithm>
#include <string_view>

#include "core/ascii.h"

namespace ventris::serving {
namespace {

[[noreturn]] void refuse_multipart(const std::string& why) {
  throw RequestError(400, "Invalid request: multipart/form-data: " + why);
}

/// Takes the text in quotation marks at the beginning, in which \" stands for a quotation mark.
std::string take_quoted(std::string_view& text) {
  std::string value;
  for (text.remove_prefix(1); !text.empty() && text.front() != '"'; text.remove_prefix(1)) {
    if (text.starts_with("\\\"")) text.remove_prefix(1);
    value += text.front();
  }
  text.remove_prefix(std::min(text.find(';'), text.size()));
  return value;
}

std::string take_until(std::string_view& text, char end) {
  const std::string_view taken = text.substr(0, text.find(end));
  text.remove_prefix(taken.size());
  const size_t first = taken.find_first_not_of(" \t"), last = taken.find_last_not_of(" \t");
  return first == std::string_view::npos ? "" : std::string(taken.substr(first, last + 1 - first));
}

/// The value of `; name=value` or `; name="value"`; empty if it is missing.
std::string parameter_of(std::string_view header, const std::string& name) {
  take_until(header, ';');
  while (!header.empty()) {
    header.remove_prefix(1);  // ;
    const size_t equals = header.find('='), next = header.find(';');
    if (equals == std::string_view::npos) return "";
    if (next < equals) {  // a parameter without a value
      header.remove_prefix(next);
      continue;
    }
    const std::string found = take_until(header, '=');
    header.remove_prefix(1);  // =
    header.remove_prefix(std::min(header.find_first_not_of(" \t"), header.size()));
    std::string value = header.starts_with('"') ? take_quoted(header) : take_until(header, ';');
    if (core::in_lower_case(found) == name) return value;
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
    if (!core::in_lower_case(line).starts_with("content-disposition:")) continue;
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
