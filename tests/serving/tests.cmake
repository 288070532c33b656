ventris_test(serving TOGETHER 4
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/error_shapes_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/access_log_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/admission_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/api_keys_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/api_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/appended_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/arguments_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/catalogue_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/deepl_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/file_store_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/form_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/google_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/http_server_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/json_body_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/language_pairs_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/libretranslate_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/listening_socket_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/metrics_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/multipart_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/own_protocol_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/refused_memory.cpp
    ${CMAKE_CURRENT_LIST_DIR}/request_rate_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sentence_queue_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/serve_settings_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sha256_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/translation_service_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/api_answers_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/translation_request_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/served_model_test.cpp
  LINKS ventris_serving PkgConfig::LIBZIP)
add_dependencies(test_serving copying_backend)
target_compile_definitions(test_serving PRIVATE COPYING_BACKEND="$<TARGET_FILE:copying_backend>")
