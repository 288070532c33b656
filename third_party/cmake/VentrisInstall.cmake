# What `cmake --install` puts into place for the projects of users: static libraries, headers, and the files by which
# find_package(Ventris) finds them. docs/library.md describes it. The libraries are in two sets, so that a project that
# only translates needs no LibTorch.
set(VENTRIS_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Ventris)
set(VENTRIS_LIBEXEC_DIR ${CMAKE_INSTALL_LIBEXECDIR}/ventris)  # programs that need LibTorch

# lib/<wing>/<name> as Ventris::<name>; `torch` says whether it needs LibTorch.
function(ventris_install_library name torch)
  set(half Lower)
  if(torch)
    set(half Torch)
  endif()
  set_target_properties(ventris_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ventris_${name} EXPORT Ventris${half}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set_property(GLOBAL APPEND PROPERTY VENTRIS_${half}_FOLDERS ${name})
endfunction()

# To be called when all libraries are there. In the installed headers, #include "core/error.h" becomes #include
# "ventris/core/error.h": they work wherever the folder above ventris/ is searched, whatever folders a project has.
function(ventris_install_package)
  get_property(VENTRIS_LOWER_FOLDERS GLOBAL PROPERTY VENTRIS_Lower_FOLDERS)
  get_property(VENTRIS_TORCH_FOLDERS GLOBAL PROPERTY VENTRIS_Torch_FOLDERS)
  list(JOIN VENTRIS_LOWER_FOLDERS ", " VENTRIS_FOLDER_NAMES)
  if(VENTRIS_TORCH_FOLDERS)
    list(JOIN VENTRIS_TORCH_FOLDERS ", " torch_names)
    string(APPEND VENTRIS_FOLDER_NAMES ", ${torch_names}")
  endif()
  set(headers ${CMAKE_BINARY_DIR}/installed_headers)
  install(CODE "
    set(SOURCE \"${PROJECT_SOURCE_DIR}/lib\")
    set(FOLDERS \"${VENTRIS_LOWER_FOLDERS};${VENTRIS_TORCH_FOLDERS}\")
    set(RESULT \"${headers}/ventris\")
    include(\"${PROJECT_SOURCE_DIR}/third_party/cmake/WriteInstalledHeaders.cmake\")")
  file(MAKE_DIRECTORY ${headers})
  install(DIRECTORY ${headers}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

  include(CMakePackageConfigHelpers)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/third_party/cmake/VentrisConfig.cmake.in
    ${CMAKE_BINARY_DIR}/VentrisConfig.cmake INSTALL_DESTINATION ${VENTRIS_CMAKE_DIR} PATH_VARS CMAKE_INSTALL_LIBDIR)
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/VentrisConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/VentrisConfig.cmake ${CMAKE_BINARY_DIR}/VentrisConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/third_party/cmake/SentencePieceTarget.cmake
    ${PROJECT_SOURCE_DIR}/third_party/cmake/LibTorchTarget.cmake DESTINATION ${VENTRIS_CMAKE_DIR})
  foreach(half Lower Torch)
    get_property(folders GLOBAL PROPERTY VENTRIS_${half}_FOLDERS)
    if(folders)
      install(EXPORT Ventris${half} NAMESPACE Ventris:: FILE Ventris${half}Targets.cmake
        DESTINATION ${VENTRIS_CMAKE_DIR})
    endif()
  endforeach()
endfunction()

# Documents with links to each other, laid out as in the source tree, and settings files for ventris-train.
function(ventris_install_documents)
  set(folder ${CMAKE_INSTALL_DATAROOTDIR}/doc/ventris)
  install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${folder} COMPONENT documentation)
  install(DIRECTORY docs DESTINATION ${folder} COMPONENT documentation)
  foreach(place lib examples benchmarks third_party data/phrasebook)
    install(FILES ${place}/README.md DESTINATION ${folder}/${place} COMPONENT documentation)
  endforeach()
  install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/ventris COMPONENT documentation)
endfunction()
