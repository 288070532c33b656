ventris_test(formats
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/conversions_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/cue_lines_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/cue_pairs_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/document_text_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/format_table_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/json_messages_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/key_choice_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/messages_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/plural_forms_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/po_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/po_entries_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/subtitle_chains_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/subtitle_cues_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/subtitles_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/value_writer_test.cpp
  LINKS ventris_formats nlohmann_json::nlohmann_json)
