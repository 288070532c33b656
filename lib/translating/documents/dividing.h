#pragma once
#include <vector>

#include "documents/sentences.h"
#include "markup/marked_text.h"

namespace ventris::documents {

using markup::MarkedText;
using text::ByteRange;

/// The parts of a text that are translated alone because of what stands between them, in order; the whole text if there
/// is nothing of that kind. They end at
/// - marks that divide (Mark::divides);
/// - tags of blocks inside a message: "<p>One</p><p>Two</p>", "<li>", "<br>";
/// - one <span> behind another, if all words are in such: "<span>Price</span><span>Free</span>", but not
///   where a word of small letters may go on among other words, nor in Chinese, Japanese, Korean or Thai;
/// - tags of templates that are no pair around words, and those of branches, since each branch is a text of its own:
///   "{% load x %}", "{% if a %}One{% else %}Two{% endif %}", "<% if a %>";
/// - pairs of tags of templates with only white space, comments and other tags between them:
///   "{{#a}}One{{/a}}{{^a}}Two{{/a}}", "{% block a %}One{% endblock %} {% block b %}Two{% endblock %}";
/// - objects behind a whole sentence, or in front of one with a colon or dash between: "{x}: One is two.", "One is two.
///   {x}"; without a sign, only objects that are no values of a program, such as code and signs of notes;
/// - with a splitter, tags and objects between the end of a sentence and a capital letter: "One.<br>Two.", and such
///   objects between two sentences: "One is two. [^1] Two is three."
/// Takes a time that grows with the text, its marks and its objects.
std::vector<ByteRange> divided(const MarkedText& text, const SentenceSplitter* splitter);

}  // namespace ventris::documents
