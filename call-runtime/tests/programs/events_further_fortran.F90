! What events_further.c does, call by call, in Fortran.
#include "mpi_modules.inc"
module program_parts
   use MPI_MODULE
   implicit none
   integer, parameter :: counts(3) = [1, 2, 3], places(3) = [0, 100, 200]
   integer :: bytes(1024), others(1024), rank, left, right, error
contains
   subroutine matched()
      REQUEST :: begun, never
      MESSAGE :: found
      STATUS :: its
      call MPI_Isend(bytes, 10, MPI_BYTE, right, 4, MPI_COMM_WORLD, begun ERROR)
      call MPI_Mprobe(left, 4, MPI_COMM_WORLD, found, MPI_STATUS_IGNORE ERROR)
      call MPI_Mrecv(others, 20, MPI_BYTE, found, MPI_STATUS_IGNORE ERROR)
      if (found /= MPI_MESSAGE_NULL) stop 1
      call MPI_Wait(begun, MPI_STATUS_IGNORE ERROR)
      call MPI_Isend(bytes, 11, MPI_BYTE, right, 5, MPI_COMM_WORLD, begun ERROR)
      call MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, found, its ERROR)
      if (SOURCE_OF(its) /= left .or. TAG_OF(its) /= 5) stop 2
      call MPI_Imrecv(others, 20, MPI_BYTE, found, never ERROR)
      call MPI_Wait(never, its ERROR)
      if (SOURCE_OF(its) /= left .or. TAG_OF(its) /= 5) stop 3
      call MPI_Wait(begun, MPI_STATUS_IGNORE ERROR)
   end subroutine

   subroutine messages()
      REQUEST :: begun, never
      STATUS :: its
      logical :: is_cancelled
      call MPI_Irecv(others, 20, MPI_BYTE, left, 99, MPI_COMM_WORLD, never ERROR)
      call MPI_Cancel(never ERROR)
      call MPI_Wait(never, its ERROR)
      call MPI_Test_cancelled(its, is_cancelled ERROR)
      if (.not. is_cancelled) stop 4
      call MPI_Sendrecv_replace(bytes, 6, MPI_BYTE, right, 6, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERROR)
      call MPI_Irecv(others, 20, MPI_BYTE, left, 7, MPI_COMM_WORLD, never ERROR)
      call MPI_Ssend_init(bytes, 7, MPI_BYTE, right, 7, MPI_COMM_WORLD, begun ERROR)
      call MPI_Start(begun ERROR)
      call MPI_Wait(never, MPI_STATUS_IGNORE ERROR)
      call MPI_Wait(begun, MPI_STATUS_IGNORE ERROR)
      call MPI_Wait(begun, MPI_STATUS_IGNORE ERROR)
      call MPI_Request_free(begun ERROR)
   end subroutine

   subroutine counted()
      integer :: of_all(3), shorter(3)
      TYPE_OF_DATA :: types(3), shorts(3)
      REQUEST :: begun
      of_all = rank + 1
      shorter = [2, 4, 6]
      types = MPI_BYTE
      shorts = MPI_INTEGER2
      call MPI_Gather(bytes, 2, MPI_INTEGER, others, 2, MPI_INTEGER, 2, MPI_COMM_WORLD ERROR)
      call MPI_Gatherv(bytes, rank + 1, MPI_BYTE, others, counts, places, MPI_BYTE, 1, MPI_COMM_WORLD ERROR)
      call MPI_Scatter(bytes, 2, MPI_INTEGER, others, 2, MPI_INTEGER, 2, MPI_COMM_WORLD ERROR)
      call MPI_Scatterv(bytes, counts, places, MPI_BYTE, others, rank + 1, MPI_BYTE, 0, MPI_COMM_WORLD ERROR)
      call MPI_Allgather(bytes, 3, MPI_BYTE, others, 3, MPI_BYTE, MPI_COMM_WORLD ERROR)
      call MPI_Allgatherv(bytes, rank + 1, MPI_BYTE, others, counts, places, MPI_BYTE, MPI_COMM_WORLD ERROR)
      call MPI_Alltoallv(bytes, of_all, places, MPI_BYTE, others, counts, places, MPI_BYTE, MPI_COMM_WORLD ERROR)
      call MPI_Alltoallw(bytes, of_all, places, shorts, others, shorter, places, types, MPI_COMM_WORLD ERROR)
      call MPI_Reduce_scatter(bytes, others, counts, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD ERROR)
      call MPI_Reduce_scatter_block(bytes, others, 2, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD ERROR)
      call MPI_Exscan(bytes, others, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD ERROR)
      call MPI_Ibarrier(MPI_COMM_WORLD, begun ERROR)
      call MPI_Wait(begun, MPI_STATUS_IGNORE ERROR)
      call MPI_Igatherv(bytes, rank + 1, MPI_BYTE, others, counts, places, MPI_BYTE, 1, MPI_COMM_WORLD, begun ERROR)
      call MPI_Wait(begun, MPI_STATUS_IGNORE ERROR)
   end subroutine

   subroutine neighbours()
      COMMUNICATOR :: ring
      REQUEST :: begun
      call MPI_Cart_create(MPI_COMM_WORLD, 1, [3], [.true.], .false., ring ERROR)
      call MPI_Neighbor_alltoall(bytes, 1, MPI_INTEGER, others, 1, MPI_INTEGER, ring ERROR)
      call MPI_Ineighbor_allgather(bytes, 1, MPI_INTEGER, others, 1, MPI_INTEGER, ring, begun ERROR)
      call MPI_Wait(begun, MPI_STATUS_IGNORE ERROR)
      call MPI_Barrier(ring ERROR)
      call MPI_Comm_free(ring ERROR)
   end subroutine

   subroutine accesses()
      integer(MPI_ADDRESS_KIND), parameter :: at(4) = [0, 8, 16, 64]
      WINDOW :: opened
      GROUP :: all, sources, targets
      call MPI_Win_create(others, at(4), 1, MPI_INFO_NULL, MPI_COMM_WORLD, opened ERROR)
      call MPI_Win_fence(0, opened ERROR)
      bytes(1:2) = rank
      call MPI_Put(bytes, 8, MPI_BYTE, right, at(1), 8, MPI_BYTE, opened ERROR)
      call MPI_Get(bytes(26), 1, MPI_INTEGER, left, at(2), 1, MPI_INTEGER, opened ERROR)
      call MPI_Accumulate(bytes, 2, MPI_INTEGER, right, at(3), 2, MPI_INTEGER, MPI_SUM, opened ERROR)
      call MPI_Win_fence(MPI_MODE_NOSUCCEED, opened ERROR)
      if (others(2) /= left) stop 5
      call MPI_Win_lock(MPI_LOCK_SHARED, right, 0, opened ERROR)
      call MPI_Fetch_and_op(bytes, bytes(51), MPI_INTEGER, right, at(1), MPI_SUM, opened ERROR)
      call MPI_Win_unlock(right, opened ERROR)
      if (bytes(51) /= rank) stop 6
      call MPI_Comm_group(MPI_COMM_WORLD, all ERROR)
      call MPI_Group_incl(all, 1, [left], sources ERROR)
      call MPI_Group_incl(all, 1, [right], targets ERROR)
      call MPI_Win_post(sources, 0, opened ERROR)
      call MPI_Win_start(targets, 0, opened ERROR)
      call MPI_Put(bytes, 3, MPI_BYTE, right, at(1), 3, MPI_BYTE, opened ERROR)
      call MPI_Win_complete(opened ERROR)
      call MPI_Win_wait(opened ERROR)
      call MPI_Win_free(opened ERROR)
      call MPI_Group_free(all ERROR)
      call MPI_Group_free(sources ERROR)
      call MPI_Group_free(targets ERROR)
   end subroutine
end module

program events_further_fortran
   use program_parts
   implicit none
   bytes = 0
   call MPI_Init(ONLY_ERROR)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank ERROR)
   left = mod(rank + 2, 3)
   right = mod(rank + 1, 3)
   call matched()
   call messages()
   call counted()
   call neighbours()
   call accesses()
   call MPI_Finalize(ONLY_ERROR)
   print '(a)', 'events ok'
end program
