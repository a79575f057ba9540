# find_package(CALL): the program `call`, and how targets are instrumented.
#
#   find_package(CALL REQUIRED)
#   call_instrument(solver)        # sequential, OpenMP, PUB
#   call_instrument(solver MPI)    # compiled with MPI
#
# The C files of the target are translated while they are compiled; their directives need nothing else. The batch script of a program
# stands beside it, PROGRAM.call.sh.

get_filename_component(CALL_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(CALL_EXECUTABLE "${CALL_PREFIX}/bin/call")
set(CALL_INCLUDE_DIRECTORY "${CALL_PREFIX}/include/call")

foreach(kind IN ITEMS runtime runtime-mpi)
    string(REPLACE "runtime" "call" library "${kind}")
    set(file "${CALL_PREFIX}/lib/lib${library}.a")
    if(EXISTS "${file}" AND NOT TARGET "CALL::${kind}")
        add_library("CALL::${kind}" STATIC IMPORTED)
        set_target_properties("CALL::${kind}" PROPERTIES
            IMPORTED_LOCATION "${file}"
            INTERFACE_INCLUDE_DIRECTORIES "${CALL_INCLUDE_DIRECTORY}"
            INTERFACE_LINK_LIBRARIES "m;-pthread")
    endif()
endforeach()

function(call_instrument target)
    set(runtime CALL::runtime)
    if("MPI" IN_LIST ARGN)
        set(runtime CALL::runtime-mpi)
    endif()
    if(NOT TARGET "${runtime}")
        message(FATAL_ERROR "call_instrument(${target}): CALL was installed without ${runtime}")
    endif()
    set_property(TARGET "${target}" PROPERTY C_COMPILER_LAUNCHER "${CALL_EXECUTABLE};cc")
    target_link_libraries("${target}" PRIVATE "${runtime}")
    get_target_property(type "${target}" TYPE)
    get_target_property(folder "${target}" SOURCE_DIR)
    # CMake adds commands only where the target was made.
    if(type STREQUAL "EXECUTABLE" AND folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
        add_custom_command(TARGET "${target}" POST_BUILD
            COMMAND "${CALL_EXECUTABLE}" script --if-any "$<TARGET_FILE:${target}>" VERBATIM)
    endif()
endfunction()
