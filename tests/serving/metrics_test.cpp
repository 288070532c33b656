#include "serving/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

namespace ventris::serving {
namespace {

using testing::HasSubstr;

TEST(Metrics, CountRequestsByPathAndStatus) {
  Metrics metrics;
  metrics.count("/translate", 200, 0.03, 12);
  metrics.count("/translate", 200, 2, 8);
  metrics.count("/translate", 400, 0.001, 0);
  metrics.count("/health", 200, 0.001, 0);
  const std::string text = metrics.text({.connections = 4});
  EXPECT_THAT(text, HasSubstr("ventris_requests_total{path=\"/translate\",status=\"200\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("ventris_requests_total{path=\"/translate\",status=\"400\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("ventris_request_seconds_bucket{le=\"0.025\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("ventris_request_seconds_bucket{le=\"0.05\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("ventris_request_seconds_bucket{le=\"+Inf\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("ventris_request_seconds_count 2\n"));
  EXPECT_THAT(text, HasSubstr("ventris_characters_total 20\n"));
  EXPECT_THAT(text, HasSubstr("ventris_connections 4\n"));
}

TEST(Metrics, EachLineIsACommentOrASample) {
  Metrics metrics;
  metrics.count("/translate", 200, 0.03, 12);
  std::istringstream lines(metrics.text({}));
  const std::regex sample(R"([a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+)");
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with("# HELP ") || line.starts_with("# TYPE ") || std::regex_match(line, sample)) << line;
  }
}

}  // namespace
}  // namespace ventris::serving
