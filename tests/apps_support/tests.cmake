ventris_test(apps_support
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/command_summary_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/completion_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/flag_values_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/man_page_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/run_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/settings_page_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/settings_test.cpp
  LINKS ventris_app_support nlohmann_json::nlohmann_json)
