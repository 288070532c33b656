if(VENTRIS_LEARNING)
  ventris_test(doctor TORCH
    SOURCES
      ${CMAKE_CURRENT_LIST_DIR}/doctor_corpora_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/doctor_report_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/language_profile_test.cpp
    LINKS ventris_doctor)
endif()
