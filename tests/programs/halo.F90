! A heat equation on a grid of blocks: a communicator with neighbours, halos in several ways, a reduction; then what else a program does with
! MPI. One program for `use mpi` and, with -DWITH_F08, for `use mpi_f08`, which leaves out an error that is not looked at.
! It stops with a number where something has come that was not sent, or Fortran is not given what it asked for.
#ifdef WITH_F08
#define MPI_MODULE mpi_f08
#define COMMUNICATOR type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define TYPE_OF_DATA type(MPI_Datatype)
#define STATUS type(MPI_Status)
#define SOURCE_OF(status) status%MPI_SOURCE
#define TAG_OF(status) status%MPI_TAG
#define MANY_STATUSES type(MPI_Status), dimension(4)
#define ITS_SOURCE(number) statuses(number)%MPI_SOURCE
#define ITS_TAG(number) statuses(number)%MPI_TAG
#define STATUS_AT(number) statuses(number)
#define ERROR
#define ONLY_ERROR
#else
#define MPI_MODULE mpi
#define COMMUNICATOR integer
#define REQUEST integer
#define TYPE_OF_DATA integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define SOURCE_OF(status) status(MPI_SOURCE)
#define TAG_OF(status) status(MPI_TAG)
#define MANY_STATUSES integer, dimension(MPI_STATUS_SIZE, 4)
#define ITS_SOURCE(number) statuses(MPI_SOURCE, number)
#define ITS_TAG(number) statuses(MPI_TAG, number)
#define STATUS_AT(number) statuses(:, number)
#define ERROR , error
#define ONLY_ERROR error
#endif
program halo
  use MPI_MODULE
  implicit none
  integer, parameter :: n = 16
  double precision :: old(0:n+1, 0:n+1), local, total
  integer :: rank, ranks, step, error, sizes(2), west, east, south, north, i, done, indices(4), found, token, most(3), all(64)
  logical :: flag
  COMMUNICATOR :: grid, row, copy
  REQUEST :: requests(4), one
  TYPE_OF_DATA :: line
  STATUS :: its
  MANY_STATUSES :: statuses

  call MPI_Init(ONLY_ERROR)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks ERROR)
  sizes = 0
  call MPI_Dims_create(ranks, 2, sizes ERROR)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, [.true., .false.], .false., grid ERROR)
  call MPI_Comm_rank(grid, rank ERROR)
  call MPI_Cart_shift(grid, 0, 1, west, east ERROR)
  call MPI_Cart_shift(grid, 1, 1, south, north ERROR)
  call MPI_Cart_sub(grid, [.true., .false.], row, error)
  if (error /= MPI_SUCCESS) stop 1
  call MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE_PRECISION, line ERROR)
  call MPI_Type_commit(line ERROR)
  old = rank
  do step = 1, 3
     call MPI_Irecv(old(0, 1), 1, line, west, 1, grid, requests(1) ERROR)
     call MPI_Irecv(old(n+1, 1), 1, line, east, 2, grid, requests(2) ERROR)
     call MPI_Isend(old(n, 1), 1, line, east, 1, grid, requests(3) ERROR)
     call MPI_Isend(old(1, 1), 1, line, west, 2, grid, requests(4), error)
     if (step == 1) then
        call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE ERROR)
     else if (step == 2) then
        call MPI_Waitall(4, requests, statuses, error)
        if (ITS_SOURCE(1) /= west .or. ITS_TAG(1) /= 1 .or. ITS_TAG(2) /= 2) stop 2
        call MPI_Get_count(STATUS_AT(1), line, i ERROR)
        if (i /= 1) stop 3
     else
        call MPI_Wait(requests(1), its ERROR)
        if (SOURCE_OF(its) /= west) stop 4
        call MPI_Waitall(4, requests, statuses ERROR)
        if (ITS_SOURCE(2) /= east .or. ITS_SOURCE(1) /= MPI_ANY_SOURCE) stop 5
     end if
     do i = 1, 4
        if (requests(i) /= MPI_REQUEST_NULL) stop 6
     end do
     call MPI_Sendrecv(old(1:n, n), n, MPI_DOUBLE_PRECISION, north, 3, &
          old(1:n, 0), n, MPI_DOUBLE_PRECISION, south, 3, grid, its ERROR)
     if (SOURCE_OF(its) /= south) stop 7
     call MPI_Sendrecv(old(1:n, 1), n, MPI_DOUBLE_PRECISION, south, 4, &
          old(1:n, n+1), n, MPI_DOUBLE_PRECISION, north, 4, grid, MPI_STATUS_IGNORE, error)
     old(1:n, 1:n) = 0.25d0 * (old(0:n-1, 1:n) + old(2:n+1, 1:n) + old(1:n, 0:n-1) + old(1:n, 2:n+1))
     local = sum(old(1:n, 1:n))
     call MPI_Allreduce(local, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, grid ERROR)
  end do
  if (rank == 0) print '(a, es22.15)', 'total ', total

  call MPI_Comm_dup(row, copy ERROR)
  call MPI_Irecv(token, 1, MPI_INTEGER, MPI_ANY_SOURCE, 9, MPI_COMM_SELF, one ERROR)
  call MPI_Test(one, flag, MPI_STATUS_IGNORE ERROR)
  if (flag) stop 8
  call MPI_Ssend_init(rank, 1, MPI_INTEGER, 0, 9, MPI_COMM_SELF, requests(1) ERROR)
  call MPI_Start(requests(1) ERROR)
  call MPI_Wait(one, its ERROR)
  if (SOURCE_OF(its) /= 0 .or. TAG_OF(its) /= 9 .or. one /= MPI_REQUEST_NULL .or. token /= rank) stop 9
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
  call MPI_Request_free(requests(1) ERROR)
  call MPI_Isend(rank, 1, MPI_INTEGER, 0, 10, MPI_COMM_SELF, one ERROR)
  call MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, its ERROR)
  if (TAG_OF(its) /= 10) stop 10
  call MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, flag, MPI_STATUS_IGNORE ERROR)
  if (.not. flag) stop 11
  call MPI_Recv(token, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, its ERROR)
  if (SOURCE_OF(its) /= 0 .or. TAG_OF(its) /= 10) stop 12
  requests(2) = one
  requests(1) = MPI_REQUEST_NULL
  call MPI_Waitany(2, requests, found, its ERROR)
  call MPI_Isend(rank, 1, MPI_INTEGER, MPI_PROC_NULL, 11, MPI_COMM_SELF, requests(1) ERROR)
  call MPI_Isend(rank, 1, MPI_INTEGER, MPI_PROC_NULL, 11, MPI_COMM_SELF, requests(2) ERROR)
  call MPI_Waitsome(2, requests, done, indices, statuses ERROR)
  ! Some libraries count from 0 in one of the modules; records change nothing in that.
  if (rank == 0) print '(a, 4i3)', 'found ', found, done, indices(1:2)
  call MPI_Testall(2, requests, flag, MPI_STATUSES_IGNORE ERROR)
  if (.not. flag) stop 13
  most = rank
  call MPI_Reduce(MPI_IN_PLACE, most, 3, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_SELF ERROR)
  call MPI_Iallreduce(MPI_IN_PLACE, most, 3, MPI_INTEGER, MPI_MAX, grid, one ERROR)
  call MPI_Wait(one, MPI_STATUS_IGNORE ERROR)
  if (any(most /= ranks - 1)) stop 14
  all(rank + 1) = rank + 5
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, grid, error)
  if (any(all(:ranks) /= [(i + 5, i = 0, ranks - 1)])) stop 15
  call MPI_Allgather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, grid ERROR)
  if (any(all(:ranks) /= [(i, i = 0, ranks - 1)])) stop 16
  call MPI_Bcast(all, ranks, MPI_INTEGER, 0, copy ERROR)
  call MPI_Comm_free(copy ERROR)
  if (copy /= MPI_COMM_NULL) stop 17
  call MPI_Comm_split(grid, mod(rank, 2), rank, copy ERROR)
  call MPI_Barrier(copy ERROR)
  call MPI_Comm_free(copy, error)
  call MPI_Comm_free(row ERROR)
  call MPI_Type_free(line ERROR)
  call MPI_Finalize(error)
  if (error /= MPI_SUCCESS) stop 18
end program
