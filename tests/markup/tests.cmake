ventris_test(markup
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/addresses_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/attribute_texts_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/characters_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/delimiter_rows_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/encoding_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/html_token_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/markdown_events_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/markdown_structure_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/markdown_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/marked_text_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/markup_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/parsing_limits_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/text_cursor_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/translate_attribute_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/xliff_test.cpp
  LINKS ventris_markup)
