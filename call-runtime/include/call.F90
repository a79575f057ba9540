! call.F90: measurements in Fortran programs, by the runtime of CALL (docs/by-hand.md).
!
!     use cll
!     type(cll_experiment), save :: adds
!
!     call cll_program('sums', CLL_SEQUENTIAL)                          ! names the traces, sums.call.K.dat; first of all
!     call adds%declare('adds', 'adds[0] + adds[1]*n', 'n')             ! name; formula, '' if there is none; variables, blanks between
!     call adds%begin(n)                                                ! a value for each variable: integers and reals
!     call adds%end()
!     call cll_report()                                                 ! by all processors
!
! Fortran 2008. Compile it before the files that use it, with their flags. With CLL_DISABLE defined nothing is measured, and no runtime
! is needed. A wrong use ends the program with status 2 and a message.
module cll
   use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, c_int, c_null_char, c_null_ptr, c_ptr
   use, intrinsic :: iso_fortran_env, only: compiler_options, compiler_version, error_unit, &
      int8, int16, int32, int64, real32, real64
   implicit none
   private
   public :: cll_experiment, cll_program, cll_sync, cll_use, cll_report

   ! As cll_kind in call.h.
   integer(c_int), parameter, public :: CLL_SEQUENTIAL = 1, CLL_MPI = 4, CLL_OPENMP = 5

   ! CLL_MOST_BY_HAND of call.h.
   integer, parameter :: most_variables = 8

   ! A block of the program; `save`, or of a module. Several may be of one name.
   type :: cll_experiment
      private
      type(c_ptr) :: table = c_null_ptr
      character(len=:), allocatable :: name
      integer :: variable_count = 0
   contains
      procedure :: declare => declare_experiment
      procedure :: begin => begin_measurement
      procedure :: end => end_measurement
   end type

#ifndef CLL_DISABLE
   type(c_ptr), save :: program_here = c_null_ptr

   interface
      function c_declare_program(name, kind, file, compiler, flags) bind(c, name='cll_declare_program') result(unit)
         import :: c_char, c_int, c_ptr
         character(kind=c_char), intent(in) :: name(*), file(*), compiler(*), flags(*)
         integer(c_int), value :: kind
         type(c_ptr) :: unit
      end function

      function c_declare_experiment(program, name, formula, variables, file, line) &
         bind(c, name='cll_declare_experiment') result(table)
         import :: c_char, c_int, c_ptr
         type(c_ptr), value :: program, formula, file
         character(kind=c_char), intent(in) :: name(*), variables(*)
         integer(c_int), value :: line
         type(c_ptr) :: table
      end function

      subroutine c_begin(experiment, values) bind(c, name='cll_begin_reals')
         import :: c_double, c_ptr
         type(c_ptr), value :: experiment
         real(c_double), intent(in) :: values(*)
      end subroutine

      subroutine c_end(experiment) bind(c, name='cll_end')
         import :: c_ptr
         type(c_ptr), value :: experiment
      end subroutine

      subroutine c_use(unit, machine) bind(c, name='cll_use')
         import :: c_ptr
         type(c_ptr), value :: unit, machine
      end subroutine

      subroutine c_sync(unit, machine) bind(c, name='cll_sync')
         import :: c_ptr
         type(c_ptr), value :: unit, machine
      end subroutine

      subroutine c_report(unit, machine, names) bind(c, name='cll_report')
         import :: c_ptr
         type(c_ptr), value :: unit, machine, names
      end subroutine
   end interface
#endif

contains

   ! Names the traces and says the kind of the program; `file`: of its source, for the header of the trace.
   subroutine cll_program(name, kind, file)
      character(len=*), intent(in) :: name
      integer(c_int), intent(in) :: kind
      character(len=*), intent(in), optional :: file
#ifndef CLL_DISABLE
      character(len=:), allocatable :: source
      source = 'unknown'
      if (present(file)) source = file
      program_here = c_declare_program(trim(name)//c_null_char, kind, trim(source)//c_null_char, &
         compiler_version()//c_null_char, flags_of_program()//c_null_char)
#endif
   end subroutine

   ! Once, or each time that the block is reached: the same again changes nothing. `file` and `line`: where it stands, as
   ! `__FILE__` and `__LINE__` say where files are preprocessed.
   subroutine declare_experiment(its, name, formula, variables, file, line)
      class(cll_experiment), intent(inout) :: its
      character(len=*), intent(in) :: name, formula, variables
      character(len=*), intent(in), optional :: file
      integer, intent(in), optional :: line
#ifndef CLL_DISABLE
      character(kind=c_char, len=:), allocatable, target :: formula_c, file_c
      integer(c_int) :: its_line
      type(c_ptr) :: table
      call need_program('declare of '//trim(name))
      formula_c = trim(formula)//c_null_char
      file_c = ''
      if (present(file)) file_c = trim(file)//c_null_char
      its_line = 0
      if (present(line)) its_line = int(line, c_int)
      table = c_declare_experiment(program_here, trim(name)//c_null_char, text_or_null(formula_c), &
         trim(variables)//c_null_char, text_or_null(file_c), its_line)
      ! Other threads may use what is declared again.
      if (c_associated(its%table, table)) return
      its%table = table
      its%name = trim(name)
      its%variable_count = words_in(variables)
#endif
   end subroutine

   ! The values are taken as reals of double precision, exact for whole numbers up to 2**53.
   subroutine begin_measurement(its, a, b, c, d, e, f, g, h)
      class(cll_experiment), intent(in) :: its
      class(*), intent(in), optional :: a, b, c, d, e, f, g, h
#ifndef CLL_DISABLE
      real(c_double) :: values(most_variables)
      integer :: count
      if (.not. c_associated(its%table)) call fail('a measurement begins of an experiment that was not declared')
      count = 0
      call take(its, a, values, count)
      call take(its, b, values, count)
      call take(its, c, values, count)
      call take(its, d, values, count)
      call take(its, e, values, count)
      call take(its, f, values, count)
      call take(its, g, values, count)
      call take(its, h, values, count)
      if (count /= its%variable_count) call fail('begin '//its%name//': as many values as variables')
      call c_begin(its%table, values)
#endif
   end subroutine

   subroutine end_measurement(its)
      class(cll_experiment), intent(in) :: its
#ifndef CLL_DISABLE
      if (.not. c_associated(its%table)) call fail('a measurement ends of an experiment that was not declared')
      call c_end(its%table)
#endif
   end subroutine

   ! With OpenMP: each thread of a parallel region, before it begins without cll_sync.
   subroutine cll_use()
#ifndef CLL_DISABLE
      call need_program('cll_use')
      call c_use(program_here, c_null_ptr)
#endif
   end subroutine

   ! Waits for all processors; before a begin.
   subroutine cll_sync()
#ifndef CLL_DISABLE
      call need_program('cll_sync')
      call c_sync(program_here, c_null_ptr)
#endif
   end subroutine

   ! Writes the trace of what was measured since the report before; called by all processors.
   subroutine cll_report()
#ifndef CLL_DISABLE
      call need_program('cll_report')
      call c_report(program_here, c_null_ptr, c_null_ptr)
#endif
   end subroutine

#ifndef CLL_DISABLE
   subroutine need_program(what)
      character(len=*), intent(in) :: what
      if (.not. c_associated(program_here)) call fail(what//' is called before cll_program was')
   end subroutine

   ! Appends a value, if there is one.
   subroutine take(its, value, values, count)
      class(cll_experiment), intent(in) :: its
      class(*), intent(in), optional :: value
      real(c_double), intent(inout) :: values(most_variables)
      integer, intent(inout) :: count
      if (.not. present(value)) return
      count = count + 1
      select type (value)
       type is (integer(int32))
         values(count) = real(value, c_double)
       type is (integer(int64))
         values(count) = real(value, c_double)
       type is (real(real64))
         values(count) = real(value, c_double)
       type is (real(real32))
         values(count) = real(value, c_double)
       type is (integer(int16))
         values(count) = real(value, c_double)
       type is (integer(int8))
         values(count) = real(value, c_double)
       class default
         call fail('begin '//its%name//': a value is neither an integer nor a real of 32 or 64 bits')
      end select
   end subroutine

   ! The address of a text that a zero ends; of an empty one the null pointer.
   function text_or_null(text) result(address)
      use, intrinsic :: iso_c_binding, only: c_loc
      character(kind=c_char, len=*), intent(in), target :: text
      type(c_ptr) :: address
      address = c_null_ptr
      if (len(text) > 1) address = c_loc(text)
   end function

   integer function words_in(text)
      character(len=*), intent(in) :: text
      integer :: at
      words_in = 0
      do at = 1, len(text)
         if (text(at:at) == ' ') cycle
         if (at > 1) then
            if (text(at - 1:at - 1) /= ' ') cycle
         end if
         words_in = words_in + 1
      end do
   end function

   ! Those that `call cflags` was given, else all that the compiler tells.
   function flags_of_program() result(flags)
      character(len=:), allocatable :: flags
      integer :: at
      flags = compiler_options()
      at = index(flags, 'CLL_FLAGS=')
      if (at > 0) flags = flags(at + len('CLL_FLAGS='):)
      if (at > 0) flags = flags(:index(flags//' ', ' ') - 1)
   end function

   subroutine fail(message)
      character(len=*), intent(in) :: message
      write (error_unit, '(a)') 'call: '//message
      error stop 2
   end subroutine
#endif
end module
