ventris_test(detection
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/language_detector_test.cpp
  LINKS ventris_detection)
