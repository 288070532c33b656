#include "serving/request_rate.h"

#include <gtest/gtest.h>

#include "serving/http_message.h"
#include "support/errors.h"

namespace ventris::serving {
namespace {

TEST(RequestRate, SoManyRequestsMayComeAtOnceAndOneAfterItsShareOfAMinute) {
  RequestRate rate;
  for (int i = 0; i < 6; ++i) rate.count("a", 6, 100);
  try {
    rate.count("a", 6, 103);
    FAIL();
  } catch (const RequestError& error) {
    EXPECT_EQ(error.status, 429);
    EXPECT_STREQ(error.what(), "Slowdown: 6 per 1 minute");
    EXPECT_EQ(error.retry_after, 7);
  }
  rate.count("a", 6, 110);
  EXPECT_FAILS(rate.count("a", 6, 110), RequestError, "Slowdown");
  rate.count("b", 6, 110);
}

TEST(RequestRate, ZeroMeansNoLimitAndRemembersNobody) {
  RequestRate rate;
  for (int i = 0; i < 1000; ++i) rate.count("a", 0, 1);
  EXPECT_EQ(rate.clients(), 0U);
}

TEST(RequestRate, ClientsWhoseRequestsAreFreeAgainAreForgotten) {
  RequestRate rate;
  for (int i = 0; i < 100'000; ++i) rate.count(std::to_string(i), 60, i);  // each is free again after a second
  EXPECT_LE(rate.clients(), 1024U);
}

TEST(RequestRate, AClientIsAnAddressOrANetworkOfIPv6) {
  EXPECT_EQ(client_of("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(client_of("::ffff:192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(client_of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(client_of("2001:db8:1:2::9"), "2001:db8:1:2::/64");
  EXPECT_EQ(client_of("::1"), "::/64");
  EXPECT_EQ(client_of("unknown"), "unknown");
  EXPECT_EQ(client_of(""), "");
}

}  // namespace
}  // namespace ventris::serving
