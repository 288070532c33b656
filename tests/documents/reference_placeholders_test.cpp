#include "documents/reference_placeholders.h"

#include <gtest/gtest.h>

#include "support/found_placeholders.h"

namespace ventris::documents {
namespace {

using Codes = std::vector<std::string>;

TEST(ReferencePlaceholders, ARoleHasItsDomainAndItsText) {
  EXPECT_EQ(found_in("Use :py:func:`foo.bar` to run it."), Codes{":py:func:`foo.bar`"});
  EXPECT_EQ(found_in("See :ref:`install`, :doc:`/a b/index`."), (Codes{":ref:`install`", ":doc:`/a b/index`"}));
  EXPECT_EQ(found_in("See :ref:`the words <label>` here"), (Codes{":ref:`", " <label>`"})) << "words are translated";
}

TEST(ReferencePlaceholders, WordsOfLinksAreNoCode) {
  EXPECT_EQ(found_in("Read `the site <https://x.org/a_b>`_ or :doc:`/install`, please."),
            (Codes{"`", " <https://x.org/a_b>`_", ":doc:`/install`"}));
  EXPECT_EQ(found_in("`a site <https://x.org>`__."), (Codes{"`", " <https://x.org>`__"}));
}

TEST(ReferencePlaceholders, ReferencesCitationsAndSubstitutions) {
  EXPECT_EQ(found_in("see `My Title`_ and `b`__"), (Codes{"`My Title`_", "`b`__"}));
  EXPECT_EQ(found_in("as shown [1]_, [#note]_ and [CIT2002]_."), (Codes{"[1]_", "[#note]_", "[CIT2002]_"}));
  EXPECT_EQ(found_in("In |version|, |the-name|_ is new"), (Codes{"|version|", "|the-name|_"}));
  EXPECT_EQ(found_in("|name|'s |name|-based Python_ and GitHub_."), (Codes{"|name|", "|name|", "Python_", "GitHub_"}));
}

TEST(ReferencePlaceholders, CodeOfPod) {
  EXPECT_EQ(found_in("B<foo> prints E<lt> and C<ls -l>."), (Codes{"B<foo>", "E<lt>", "C<ls -l>"}));
  EXPECT_EQ(found_in("B<two words> here"), (Codes{"B<", ">"}));
  EXPECT_EQ(found_in("B<#include E<lt>a.hE<gt>>"), (Codes{"B<", "E<lt>", "E<gt>", ">"}));
}

TEST(ReferencePlaceholders, OtherTextIsNone) {
  for (const char* text :
       {"one | several", "a|b", "a |b", "[1] _", "a: `b", "it is 3 < 5 and 7 > 6", "AB < C", "`unfinished", "the |x",
        "[a]_b", "If L<5 mm and width>3", "||Name||Description||", "Choose |No| or |Yes|"}) {
    EXPECT_EQ(found_in(text), Codes{}) << text;
  }
}

}  // namespace
}  // namespace ventris::documents
