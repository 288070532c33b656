ventris_test(modifiers TOGETHER 4
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/term_forms_test.cpp ${CMAKE_CURRENT_LIST_DIR}/single_links_test.cpp ${CMAKE_CURRENT_LIST_DIR}/changed_links_test.cpp ${CMAKE_CURRENT_LIST_DIR}/endings_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/modifier_test.cpp ${CMAKE_CURRENT_LIST_DIR}/tags_test.cpp ${CMAKE_CURRENT_LIST_DIR}/typos_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/draws_test.cpp ${CMAKE_CURRENT_LIST_DIR}/terms_test.cpp
  LINKS ventris_modifiers ICU::uc)
