ventris_test(office
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/document_package_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/docx_fields_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/docx_text_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/epub_text_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/odf_text_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/package_parts_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/paragraph_text_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/paragraphs_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/symbols_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/usual_names_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/xml_tree_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/zip_package_test.cpp
  LINKS ventris_office PkgConfig::LIBZIP)
