ventris_test(formats
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/cue_lines_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/cue_pairs_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/document_text_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/format_table_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/subtitle_chains_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/subtitle_cues_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/subtitles_test.cpp
  LINKS ventris_formats)
