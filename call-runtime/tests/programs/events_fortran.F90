! What events.c does, call by call, in Fortran.
#include "mpi_modules.inc"
module program_parts
   use MPI_MODULE
   use, intrinsic :: iso_c_binding, only: c_long_long
   implicit none
   interface
      subroutine advance(nanoseconds) bind(c, name='cll_clock_advance')
         import :: c_long_long
         integer(c_long_long), value :: nanoseconds
      end subroutine
   end interface
   integer :: bytes(1024), others(1024), rank, error
contains
   subroutine messages()
      integer :: left, right, to, from
      REQUEST :: both(2)
      left = mod(rank + 2, 3)
      right = mod(rank + 1, 3)
      call MPI_Irecv(others, 64, MPI_BYTE, left, 5, MPI_COMM_WORLD, both(1) ERROR)
      call MPI_Isend(bytes, 8, MPI_INTEGER, right, 5, MPI_COMM_WORLD, both(2) ERROR)
      call advance(10_c_long_long)
      call MPI_Waitall(2, both, MPI_STATUSES_IGNORE ERROR)
      if (rank == 0) then
         call MPI_Send(bytes, 100, MPI_BYTE, 1, 7, MPI_COMM_WORLD ERROR)
         call MPI_Ssend(bytes, 3, MPI_DOUBLE_PRECISION, 1, 8, MPI_COMM_WORLD ERROR)
      else if (rank == 1) then
         call MPI_Recv(others, 4096, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERROR)
         call MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERROR)
         call MPI_Recv(others, 512, MPI_DOUBLE_PRECISION, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      end if
      to = merge(MPI_PROC_NULL, rank + 1, rank == 2)
      from = merge(MPI_PROC_NULL, rank - 1, rank == 0)
      call MPI_Sendrecv(bytes, 1, MPI_BYTE, to, 1, others, 1, MPI_BYTE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERROR)
   end subroutine

   subroutine requests()
      REQUEST :: three(3)
      STATUS :: its
      integer :: found, turn
      call MPI_Isend(bytes, 1, MPI_BYTE, MPI_PROC_NULL, 2, MPI_COMM_WORLD, three(1) ERROR)
      call MPI_Isend(bytes, 2, MPI_BYTE, mod(rank + 1, 3), 2, MPI_COMM_WORLD, three(2), error)
      call MPI_Irecv(others, 4, MPI_BYTE, mod(rank + 2, 3), 2, MPI_COMM_WORLD, three(3) ERROR)
      call MPI_Wait(three(1), its ERROR)
      call MPI_Wait(three(2), MPI_STATUS_IGNORE ERROR)
      call MPI_Waitany(3, three, found, MPI_STATUS_IGNORE, error)
      call MPI_Send_init(bytes, 5, MPI_BYTE, mod(rank + 1, 3), 3, MPI_COMM_WORLD, three(1) ERROR)
      call MPI_Recv_init(others, 5, MPI_BYTE, mod(rank + 2, 3), 3, MPI_COMM_WORLD, three(2) ERROR)
      do turn = 1, 2
         call MPI_Startall(2, three ERROR)
         call MPI_Waitall(2, three, MPI_STATUSES_IGNORE ERROR)
      end do
      call MPI_Request_free(three(1) ERROR)
      call MPI_Request_free(three(2), error)
   end subroutine

   subroutine collectives()
      COMMUNICATOR :: part
      REQUEST :: begun
      call MPI_Comm_split(MPI_COMM_WORLD, merge(1, 0, rank == 1), -rank, part ERROR)
      call MPI_Bcast(bytes, 10, MPI_BYTE, 0, part ERROR)
      call MPI_Comm_free(part ERROR)
      if (part /= MPI_COMM_NULL) stop 1
      call MPI_Barrier(MPI_COMM_WORLD ERROR)
      others(1:2) = rank
      bytes(1:2) = rank
      if (rank == 1) then
         call MPI_Reduce(MPI_IN_PLACE, others, 2, MPI_INTEGER, MPI_MAX, 1, MPI_COMM_WORLD ERROR)
         if (any(others(1:2) /= 2)) stop 2
      else
         call MPI_Reduce(bytes, others, 2, MPI_INTEGER, MPI_MAX, 1, MPI_COMM_WORLD ERROR)
      end if
      call MPI_Scan(bytes, others, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD ERROR)
      call MPI_Alltoall(bytes, 3, MPI_BYTE, others, 3, MPI_BYTE, MPI_COMM_WORLD ERROR)
      call MPI_Iallreduce(bytes, others, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, begun ERROR)
      call advance(30_c_long_long)
      call MPI_Wait(begun, MPI_STATUS_IGNORE ERROR)
      if (others(1) /= 2) stop 3
   end subroutine

   subroutine opened()
      WINDOW :: its
      call MPI_Win_create(others, 64_MPI_ADDRESS_KIND, 1, MPI_INFO_NULL, MPI_COMM_WORLD, its ERROR)
      call MPI_Win_fence(0, its ERROR)
      call MPI_Win_fence(0, its, error)
      call MPI_Win_free(its ERROR)
   end subroutine
end module

program events_fortran
   use program_parts
   implicit none
   bytes = 0
   error = -1
   call advance(5_c_long_long)
   call MPI_Init(ONLY_ERROR)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank ERROR)
   call advance(1000_c_long_long * (rank + 1))
   call messages()
   call advance(20_c_long_long)
   call requests()
   call collectives()
   call opened()
   if (error /= MPI_SUCCESS) stop 4
   call MPI_Finalize(error)
   print '(a)', 'events ok'
end program
