ventris_test(documents
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/abbreviations_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/builtin_placeholders_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/cutter_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/document_translator_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/drawn_documents_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/guards_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/hostile_documents_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/joining_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/mark_layout_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/markdown_keeper_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/placeholders_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/placement_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/projection_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sentences_test.cpp
  LINKS ventris_documents)
