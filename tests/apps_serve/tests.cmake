ventris_test(apps_serve LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/serve_test.cpp LINKS ventris_serving)
add_dependencies(test_apps_serve ventris-serve copying_backend)
target_compile_definitions(test_apps_serve PRIVATE COPYING_BACKEND="$<TARGET_FILE:copying_backend>")

# The page in headless Chromium, where that is installed.
add_executable(write_copying_bundle ${CMAKE_CURRENT_LIST_DIR}/write_bundle.cpp)
target_link_libraries(write_copying_bundle PRIVATE ventris_test_support ventris_serving ventris_flags)
if(Python3_Interpreter_FOUND)
  add_test(NAME serve_page_in_browser
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/page_test.py $<TARGET_FILE:ventris-serve>
            $<TARGET_FILE:write_copying_bundle> $<TARGET_FILE:copying_backend>)
  set_tests_properties(serve_page_in_browser PROPERTIES LABELS e2e TIMEOUT 600 SKIP_RETURN_CODE 77 COST 20)
endif()
