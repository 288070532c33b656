#pragma once
#include <vector>

#include "markup/marked_text.h"

namespace ventris::documents {

/// The addresses, paths and names of files of which a part is a placeholder, each as a whole:
/// - addresses of the web and of e-mail: "https://{{ domain }}/login", "{user}@example.com", "example.com/{id}/edit",
/// "mailto:{email}";
/// - what has parameters: "{site}/page?id={id}";
/// - paths that begin with a placeholder, with a name between it and another one: "%s/users/%s/edit";
/// - a name of a place (is_name_of_place) with a page: "<%= root_url %>users/edit";
/// - a page behind a port: "{host}:{port}/status";
/// - names of files: "backup_%1$s.zip".
/// Not "{price}/month", "{price}/user/month", "{wins}/{losses}/draws" or "{{ link }}Terms/Privacy". The placeholders
/// are objects of the text; objects that are tags, code or notes are none.
std::vector<text::ByteRange> addresses_with_values(const markup::MarkedText& text);

}  // namespace ventris::documents
