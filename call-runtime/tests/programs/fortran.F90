! Fortran 2008, CALL_CLOCK=counting: nested experiments, values of each type, none and eight variables, an experiment of two places.
program fortran
   use, intrinsic :: iso_c_binding, only: c_long_long
   use, intrinsic :: iso_fortran_env
   use cll
   implicit none
   type(cll_experiment), save :: outer, inner, eight
   integer :: n
#ifndef CLL_DISABLE
   interface
      subroutine pass(nanoseconds) bind(c, name='cll_clock_advance')
         import :: c_long_long
         integer(c_long_long), value :: nanoseconds
      end subroutine
   end interface
#endif
   call cll_program('fortran', CLL_SEQUENTIAL, 'fortran.F90')
   call outer%declare('outer', 'outer[0] + outer[1]*n*x', 'n  x', __FILE__, 21)
   call eight%declare('eight', '', 'a b c d e f g h', line=22)
   do n = 1, 3
      call cll_sync()
      call outer%begin(n, 0.1d0*n)
      call pass(1000_c_long_long*n)
      call work(int(n, int64)*10_int64**9)
      call outer%end()
   end do
   call work(-1_int64)
   call cll_use()
   call eight%begin(-1_int8, 2_int16, 3_int32, 4_int64, 0.5_real32, 0.1_real64, 7, 2_int64**53)
   call eight%end()
   call cll_report()
contains
   subroutine work(long)
      integer(int64), intent(in) :: long
      type(cll_experiment) :: again
      call inner%declare('inner', 'inner[0]', 'long', line=35)
      call inner%begin(long)
      call pass(7_c_long_long)
      call inner%end()
      ! Another variable of the same experiment, elsewhere.
      call again%declare('inner', 'inner[0]', 'long', line=39)
      call again%begin(real(long))
      call again%end()
   end subroutine
#ifdef CLL_DISABLE
   subroutine pass(nanoseconds)
      integer(c_long_long), intent(in) :: nanoseconds
      if (nanoseconds < 0) stop 1
   end subroutine
#endif
end program
