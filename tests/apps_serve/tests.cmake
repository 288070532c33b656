ventris_test(apps_serve LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/serve_test.cpp LINKS ventris_serving)
add_dependencies(test_apps_serve ventris-serve copying_backend)
target_compile_definitions(test_apps_serve PRIVATE COPYING_BACKEND="$<TARGET_FILE:copying_backend>")
