ventris_test(report
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/charts_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/comparison_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/page_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/run_data_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/run_names_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/run_report_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/run_state_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/run_values_test.cpp
  LINKS ventris_report)

# A report in headless Chromium, where that is installed.
add_executable(write_small_report ${CMAKE_CURRENT_LIST_DIR}/write_small_report.cpp)
target_include_directories(write_small_report PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(write_small_report PRIVATE ventris_report ventris_flags)
find_package(Python3 3.10 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  add_test(NAME report_in_browser
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/browser_test.py $<TARGET_FILE:write_small_report>)
  set_tests_properties(report_in_browser PROPERTIES LABELS e2e TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
