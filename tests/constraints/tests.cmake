ventris_test(constraints
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/banks_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/constraints_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/forbidden_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/phrase_test.cpp
  LINKS ventris_constraints)
