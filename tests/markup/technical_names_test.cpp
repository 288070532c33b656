#include "markup/technical_names.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::markup {
namespace {

TEST(TechnicalNames, AreThoseThatProgramsRead) {
  for (const char* name : {"logo.png",
                           "images/logo.png",
                           "fonts/a-b_c.woff2",
                           "icon@2x.png",
                           "/about",
                           "/blog/2020/first-post",
                           "v1.2.3",
                           "1.0",
                           "2.0-beta.1",
                           "10px",
                           "1.5em",
                           "fa-user",
                           "fas fa-user",
                           "jdbc:mysql://localhost:3306/db",
                           "classpath:messages",
                           "userName",
                           "user_name",
                           "step_1",
                           "/faq#top",
                           "/about/#team",
                           "/#projects",
                           "docs/a.md#b",
                           "/search?q=shoes&page=2",
                           "/?source=pwa",
                           "user.password_reset",
                           "USER_NAME",
                           "user.created",
                           "user.createdAt",
                           "java.util.Date",
                           "System.Windows.Forms",
                           "com.example.app.Main",
                           "com.example.app.ACTION_PLAY",
                           "com.example.AppBarLayout$ScrollingViewBehavior",
                           ".MainActivity",
                           "my-project.appspot.com",
                           "1234567890-abc123def456.apps.googleusercontent.com",
                           "fb1234567890",
                           "ca-app-pub-3940256099942544/6300978111",
                           "1:1234567890:android:abc123def456"}) {
    EXPECT_TRUE(is_technical_name(name)) << name;
  }
}

TEST(TechnicalNames, AreNoWords) {
  for (const char* text : {"",
                           "well-known",
                           "Order-12345678",
                           "order-12345678",
                           "a.k.a",
                           "24.december",
                           "call 0123456789",
                           "...more",
                           ".Net",
                           "e.g.",
                           "U.S.A",
                           "a",
                           "word",
                           "Word",
                           "WORD",
                           "no-one",
                           "state-of-the-art",
                           "e-mail",
                           "and/or",
                           "/month",
                           "/user/month",
                           "/30-days",
                           "/2weeks",
                           "/",
                           "e.g.",
                           "z.B",
                           "Hello.World",
                           "end.",
                           "...",
                           "10 px",
                           "px",
                           "1,5",
                           "a logo.png",
                           "Save file.txt",
                           "_name",
                           "a_b",
                           "McDonald",
                           "It works.",
                           "fa-",
                           "v",
                           "#news",
                           "Node_js",
                           "bi-weekly updates",
                           "bi-directional",
                           "2.5-inch",
                           "24.7-support",
                           "...em"}) {
    EXPECT_FALSE(is_technical_name(text)) << text;
  }
  EXPECT_FALSE(is_technical_name(std::string(300, 'a') + ".png")) << "no name is that long";
}

}  // namespace
}  // namespace ventris::markup
