#include "documents/address_runs.h"

#include <gtest/gtest.h>

#include "documents/builtin_placeholders.h"

namespace ventris::documents {
namespace {

using Texts = std::vector<std::string>;

/// The addresses in a message, as they are written.
Texts addresses_in(const std::string& message) {
  markup::MarkedText text{message};
  text.hide(builtin_placeholders(message));
  Texts found;
  for (const text::ByteRange& range : addresses_with_values(text)) found.push_back(text.raw(range));
  return found;
}

TEST(AddressRuns, AddressesWithPlaceholdersAreWhole) {
  for (const std::string address :
       {"https://{{ domain }}/login", "http://<your-ip>:8080/Admin", "https://<username>.github.io/<repo>/docs",
        "{{ protocol }}://{{ domain }}/reset/{{ uid }}/", "%1$s@example.com", "{user}@example.com",
        "support@{domain}.com", "example.com/{{ id }}/edit"}) {
    EXPECT_EQ(addresses_in("Open " + address + ", please"), Texts{address}) << address;
  }
}

TEST(AddressRuns, PathsParametersAndFilesWithPlaceholdersAreWhole) {
  for (const std::string address :
       {"{{site_url}}/unsubscribe?id={{id}}", "%{url}/edit?x=1", "index.php?id={id}", "{base}/users/{id}/edit",
        "%s/users/%s/edit", "{host}:{port}/status", "%s:8080/status", "<?= $base_url ?>/login.php",
        "<%= root_url %>users/edit", "backup_%1$s.zip", "report-{{ date }}.pdf", "{year}/{month}/{name}.csv",
        "support@{domain}", "https://a.org/v?email={{ email }}&code={{ code }}", "https://a.org/{{ slug }}/edit",
        "https://a.org/v?id=<%= @user.id %>&token=<%= @token %>", "https://a.org/p/{{ id }}#comments"}) {
    EXPECT_EQ(addresses_in("see " + address + " (now)"), Texts{address}) << address;
  }
}

TEST(AddressRuns, WordsBesidePlaceholdersAreNone) {
  for (const std::string words :
       {"{price}/month", "{price}/user/month", "%{count}/page", "{n}/{m}", "Hello {name}.Then", "{a}: {b}/c", "{a}:{b}",
        "{name}@", "Why?{x}", "{n}-day trial", "{h}:{m}/day", "https://example.org {x}", "{x}, https://example.org",
        "{wins}/{losses}/draws", "{0}km/{1}h/day", "${link}Yes/No", "{{ link }}Terms{{ end }}/Privacy",
        "{home}team/visitors", "{a}:{report}/b"}) {
    EXPECT_EQ(addresses_in(words), Texts{}) << words;
  }
}

TEST(AddressRuns, CodeTagsAndMarksEndAnAddress) {
  markup::MarkedText text{"https://`host`/x and https://{a}<br>b"};
  text.hide({{8, 14}, {29, 32}, {32, 36}});
  EXPECT_EQ(text.objects.size(), 3U);
  const std::vector<text::ByteRange> found = addresses_with_values(text);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(text.raw(found[0]), "https://{a}");
  markup::MarkedText marked{"https://{a}/b", {{11, markup::Mark::Kind::kAlone, "<wbr>"}}};
  marked.hide({{8, 11}});
  const std::vector<text::ByteRange> before = addresses_with_values(marked);
  ASSERT_EQ(before.size(), 1U);
  EXPECT_EQ(marked.raw(before[0]), "https://{a}<wbr>");
}

}  // namespace
}  // namespace ventris::documents
