#!/bin/sh
# Runs the measurements of @SOURCE@. Written by call @VERSION@: change the directives and run it again.
set -u

name=@NAME@
case $0 in
    */*) here=${0%/*} ;;
    *) here=. ;;
esac
program=@PROGRAM@
case $program in
    /*) ;;
    *) program=$here/$program ;;
esac
[ -x "$program" ] || [ ! -x "./$name" ] || program=./$name
processors='@PROCESSORS@'
launcher=''
repeat=1
oversubscribe=no
platform=''
submit=no
slurm_options=''
resume=no

usage() {
    cat <<EOF
usage: $name.call.sh [options] [--] [arguments of the program]
Runs the program once for each number of processors of its \`parallel\` directive. In its arguments %P stands for that number.
  -p, --program FILE      the program (default: $program)
  -n, --processors LIST   numbers of processors, for example "1 2 4" (default: "@PROCESSORS@")
  -r, --repeat COUNT      run all of them that often (default: 1)
  -l, --launcher COMMAND  start the program with this command, where %P stands for the number of processors:
                          "mpirun -n %P", "srun -n %P" (default: @DEFAULT_LAUNCHER@)
      --smpi PLATFORM     simulate the processors with SimGrid on this platform; the program is compiled with smpicc
      --slurm OPTIONS     submit this script to Slurm, as one job with these options of sbatch: "--time=10 --partition=short"
      --resume            leave out the runs that $name.call.runs tells as finished, if the program is still the same and their
                          traces are there; this script adds each run to it
      --oversubscribe     also run on more processors than this machine has cores
  -h, --help              show this text
With CALL_OUTPUT=FOLDER traces and the list of runs go there.
EOF
}

# Names may have what terminals obey.
say() {
    printf '%s: %s\n' "$0" "$1" | LC_ALL=C tr -d '\001-\010\013-\037\177' >&2
}

fail() {
    say "$1"
    exit 2
}

is_count() {
    case $1 in
        '' | *[!0-9]* | 0*) return 1 ;;
    esac
}

while [ $# -gt 0 ]; do
    case $1 in
        -p | --program | -n | --processors | -r | --repeat | -l | --launcher | --smpi | --slurm)
            [ $# -ge 2 ] || fail "$1 needs a value (try --help)"
            case $1 in
                --smpi) platform=$2 ;;
                --slurm) submit=yes slurm_options=$2 ;;
                -p | --program) program=$2 ;;
                -n | --processors) processors=$2 ;;
                -r | --repeat) repeat=$2 ;;
                -l | --launcher) launcher=$2 ;;
            esac
            shift 2
            ;;
        --oversubscribe) oversubscribe=yes; shift ;;
        --resume) resume=yes; shift ;;
        -h | --help) usage; exit 0 ;;
        --) shift; break ;;
        -*) fail "unknown option $1 (try --help)" ;;
        *) break ;;
    esac
done

is_count "$repeat" || fail "--repeat wants a whole number from 1 on, not '$repeat'"
for count in $processors; do
    is_count "$count" || fail "--processors wants whole numbers from 1 on, not '$count'"
done
[ -x "$program" ] || fail "there is no program $program: compile it first, or name it with --program"
case $program in
    */*) ;;
    *) program=./$program ;;
esac

# One word of the shell that stands for the text.
quoted() {
    printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

if [ "$submit" = yes ]; then
    command -v sbatch >/dev/null || fail "there is no sbatch here: --slurm takes a machine with Slurm"
    largest=1
    for count in $processors; do
        [ "$count" -le "$largest" ] || largest=$count
    done
    job="$(quoted "$0") --program $(quoted "$program") --processors $(quoted "$processors") --repeat $repeat --oversubscribe"
    [ "$resume" = no ] || job="$job --resume"
    [ -z "$launcher" ] || job="$job --launcher $(quoted "$launcher")"
    tasks=@SLURM_TASKS@
    if [ -n "$platform" ]; then
        job="$job --smpi $(quoted "$platform")"
        largest=1
    elif [ -z "${launcher:-@LAUNCHER@}" ]; then
        tasks=--cpus-per-task
    fi
    job="$job --"
    for argument in "$@"; do
        job="$job $(quoted "$argument")"
    done
    say "the job asks for $tasks=$largest"
    set -f
    # shellcheck disable=SC2086 # the options are words
    exec sbatch --job-name="$name" "$tasks=$largest" $slurm_options --wrap "$job"
fi

if [ -n "$platform" ]; then
    [ -z "$launcher" ] || fail "--smpi and --launcher exclude each other"
    [ -r "$platform" ] || fail "cannot read the platform $platform"
    command -v smpirun >/dev/null || fail "there is no smpirun here: --smpi takes SimGrid"
    launcher="smpirun -np %P -platform $platform --cfg=smpi/host-speed:1Gf"
    # Blocks of less than a microsecond count as well.
    launcher="$launcher --cfg=smpi/cpu-threshold:0 --log=root.threshold:error"
fi

# Names of the traces that are there, each behind a line feed.
traces() {
    for of in @TRACES@; do
        for file in "$output$of".call.[0-9]*.dat; do
            [ ! -e "$file" ] || printf '\n%s' "$file"
        done
    done
}

# Whether this run of this program has finished, and its traces are there.
is_finished() {
    finished=$(WHAT="$1$tab$binary$tab" awk 'index($0, ENVIRON["WHAT"]) == 1 { line = $0 } END { print line }' "$runs" 2>/dev/null)
    [ -n "$finished" ] || return 1
    rest=${finished#"$1$tab$binary$tab"}
    while [ -n "$rest" ]; do
        [ -e "${rest%%"$tab"*}" ] || return 1
        rest=${rest#*"$tab"}
    done
}

# The number of processors, then the arguments of the program.
start() {
    count=$1
    shift
    first=yes
    for argument in "$@"; do
        [ "$first" = no ] || set --
        first=no
        argument=$(printf '%s.' "$argument" | sed "s|%P|$count|g")
        set -- "$@" "${argument%.}"
    done
    if [ -n "$launcher" ]; then
        # The launcher is a command with arguments: its words are split here on purpose, and are no patterns.
        set -f
        $(printf '%s' "$launcher" | sed "s|%P|$count|g") "$program" "$@"
        set -- $?
        set +f
        return "$1"
    else
        @ENVIRONMENT@"$program" "$@"
    fi
}

# Who names a launcher knows how many processors it has.
on_this_machine=no
if [ -z "$launcher" ]; then
    on_this_machine=yes
    launcher='@LAUNCHER@'
fi

cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null) || cores=1
output=${CALL_OUTPUT:+$CALL_OUTPUT/}
[ -z "$output" ] || mkdir -p "$CALL_OUTPUT" || fail "cannot make the folder $CALL_OUTPUT"
runs=$output$name.call.runs
binary=$(cksum <"$program")
tab=$(printf '\t')
left_out=''
done_before=0
has_run=no
run=1
# All of them and then all again: a disturbance hits one run of each.
while [ "$run" -le "$repeat" ]; do
    for count in $processors; do
        if [ "$on_this_machine" = yes ] && [ "$count" -gt "$cores" ] && [ "$oversubscribe" = no ]; then
            [ "$run" -gt 1 ] || left_out="$left_out $count"
            continue
        fi
        what="P = $count, run $run: $program $*"
        if [ "$resume" = yes ] && is_finished "$what"; then
            done_before=$((done_before + 1))
            continue
        fi
        has_run=yes
        say "P = $count, run $run of $repeat"
        before=$(traces)
        start "$count" "$@"
        status=$?
        [ "$status" -eq 0 ] || fail "$program ended with status $status on $count processors"
        new=$(traces | grep -Fvx -e "$before" | tr '\n' '\t')
        printf '%s\t%s\t%s\n' "$what" "$binary" "$new" >>"$runs"
    done
    run=$((run + 1))
done
[ "$done_before" -eq 0 ] || say "$done_before runs were finished before"
if [ -n "$left_out" ]; then
    why="P =$left_out left out: above $cores cores times mean nothing (--oversubscribe runs them all the same)"
    [ "$has_run$done_before" != no0 ] || fail "$why; nothing was run"
    say "$why"
fi
