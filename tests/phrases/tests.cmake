ventris_test(phrases
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/phrase_maker_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/term_list_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/wishes_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/word_sequences_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/words_test.cpp
  LINKS ventris_phrases)
