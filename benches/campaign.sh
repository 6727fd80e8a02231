#!/usr/bin/env bash
# The campaign of a release: every figure of README and report, measured with one program.
#
#     benches/campaign.sh DIR            some 25 hours of two cores, with nothing beside it
#     benches/campaign.sh DIR --quick    each part with a few games, to see that all of it runs
#
# Whatever was stopped goes on by the same command: finished parts are left alone. KASHAN names the
# program (otherwise `kashan` of the PATH), LIBRARY a library of grandmasters' games for A1 to A9,
# ETHEREAL a program of Ethereal 12.00, RATED a directory with programs whose ratings are published:
# stash-30, stash-34 and ethereal-12.75, built from the tags v30.0, v34.0 and v12.75 of their
# repositories (mhouppin/stash-bot, AndyGrant/Ethereal). What is not installed is named and left out.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 2; }

out=$1
quick=${2:-}
kashan=${KASHAN:-kashan}
# Debian keeps chess engines out of root's path.
PATH=$PATH:/usr/games
mkdir -p "$out"
"$kashan" bench >"$out/bench.txt"
tail -1 "$out/bench.txt"

# games N: N, or a few with --quick.
games() { if [ "$quick" = --quick ]; then echo 2; else echo "$1"; fi; }

failed=0
# part NAME COMMAND...: runs a command once, with its output in NAME.txt. One that fails is named and counted.
part() {
  local name=$1
  shift
  [ ! -e "$out/$name.txt" ] || { echo "$name: done before"; return; }
  echo "$name: $*"
  if ! "$@" >"$out/$name.part" 2>"$out/$name.log"; then
    echo "$name failed:"
    tail -5 "$out/$name.log"
    failed=$((failed + 1))
    return
  fi
  mv "$out/$name.part" "$out/$name.txt"
}

# encounter NAME GAMES FIRST SECOND OPTIONS...: a match, with a journal and its games.
encounter() {
  local name=$1 number
  number=$(games "$2")
  local first=$3 second=$4
  shift 4
  part "$name" "$kashan" match "$first" "$second" --games "$number" --seed 100 --concurrency "${concurrency:-2}" \
    --win moves=4,score="${win:-1000}" --draw from_move=40,moves=8,score=10 --max-moves 200 \
    --report-every 0 --journal "$out/$name.journal" --pgn "$out/$name.pgn" "$@"
}

# against NAME GAMES PROGRAM OPTIONS...: our alpha-beta search and the genetic search against another program.
against() {
  local name=$1 number=$2 program=$3
  shift 3
  command -v "${program%% *}" >/dev/null || { echo "$name: ${program%% *} is not installed, left out"; return; }
  set -- --each "2:name=$name" --option 1:Hash=64 "$@"
  win=700 encounter "$name-genetic" "$number" kashan:genetic "$program" "$@"
  win=700 encounter "$name-alphabeta" "$number" kashan:alphabeta "$program" "$@"
}

# The genetic search against alpha-beta by the clock, and with equal nodes.
concurrency=1 encounter clock-0.2 2000 kashan:genetic kashan:alphabeta --tc 0.2+0.002
encounter clock-1 1000 kashan:genetic kashan:alphabeta --tc 1+0.01
encounter clock-5 400 kashan:genetic kashan:alphabeta --tc 5+0.05
encounter clock-20 120 kashan:genetic kashan:alphabeta --tc 20+0.2
concurrency=1 encounter threads-5 100 kashan:genetic kashan:alphabeta --tc 5+0.05 --option Threads=2
encounter nodes-20000 600 kashan:genetic kashan:alphabeta --tc nodes=20000

# What each operator is worth.
encounter without-crossover 2000 kashan:genetic kashan:genetic --each 1:name=without --option 1:CrossoverRate=0 --tc nodes=20000
encounter without-mutation 400 kashan:genetic kashan:genetic --each 1:name=without --option 1:MutationRate=0 --tc nodes=20000
encounter without-singular 400 kashan:genetic kashan:genetic --each 1:name=without --option 1:SingularExtensions=0 --tc nodes=20000

# Twice the time.
for preset in strong paper letter; do
  for time in 0.05 0.1 0.2 0.4; do
    twice=$(awk "BEGIN { print 2 * $time }")
    encounter "double-$preset-$time" 100 kashan:genetic kashan:genetic --each 1:name=twice --option Preset="$preset" \
      --each "1:limits=$twice/move" --each "2:limits=$time/move"
  done
done

# Against others.
for nodes in 80000 120000 180000; do
  against "stockfish-$nodes" 80 stockfish --each 2:protocol=uci --option 2:Hash=64 --option "2:Use NNUE=false" \
    --each 1:limits=6+0.06 --each 2:limits=nodes="$nodes"
done
if [ -n "${ETHEREAL:-}" ]; then
  against ethereal 100 "$ETHEREAL" --each 2:protocol=uci --option 2:Hash=64 --tc 10+0.1
else
  echo "ethereal: ETHEREAL is not set, left out"
fi
for program in stash-30 stash-34 ethereal-12.75; do
  if [ -n "${RATED:-}" ]; then
    against "$program" 100 "$RATED/$program" --each 2:protocol=uci --option 2:Hash=64 --tc 10+0.1
  else
    echo "$program: RATED is not set, left out"
  fi
done
# Glaurung starts a thread for each processor, and both have books of their own.
for program in glaurung toga2; do
  against "$program" 100 "$program" --each 2:protocol=uci --option 2:OwnBook=false --tc 5+0.05
done
for program in phalanx "hoichess --xboard" fairymax sjeng "gnuchess --xboard"; do
  against "${program%% *}" 100 "$program" --tc 5+0.05
done

# Tactics, mates and blunders.
for search in genetic alphabeta; do
  for suite in tactical100 quiet100 defence200; do
    part "solve-$suite-$search" "$kashan" solve "tests/suites/$suite.epd" --engine "kashan:$search" --limits nodes=100000
  done
  part "mates-$search" "$kashan" solve tests/suites/mates.epd --mates --engine "kashan:$search" --limits nodes=100000
  part "blunders-$search" "$kashan" blunders tests/suites/quiet100.epd tests/suites/quiet29.epd --engine "kashan:$search" \
    --tc 1/move --reference-limits nodes=500000 --concurrency 2 --journal "$out/blunders-$search.journal"
done

# The claims of the four papers: of the first one by `paper`, to the letter, and by the default.
claims() {
  local name=$1 id
  shift
  local ids=()
  while [ $# -gt 0 ] && [ "${1#--}" = "$1" ]; do ids+=("$1"); shift; done
  [ "$quick" != --quick ] || set -- "$@" --quick
  for id in "${ids[@]}"; do
    part "claim-$name-$id" "$kashan" experiment "$id" "$@" --concurrency 2 --output "$out/claims-$name"
  done
}
claims paper C1 C2 C3 C4 C5 C6 C13
for preset in letter paper strong; do
  claims "$preset" C7 C8 C11 --preset "$preset"
  claims "$preset" C9 C10 --preset "$preset" --games "$(games 60)"
  claims "$preset" C12 --preset "$preset" --games "$(games 100)"
done
claims letter C13 --preset letter
claims strong C13 --preset strong
if [ -n "${LIBRARY:-}" ]; then
  claims library A1 A2 A3 A4 A8 --library "$LIBRARY" --nodes 2000 --games "$(games 400)"
  claims library A5 A6 A7 A9 --library "$LIBRARY"
else
  echo "claims-library: LIBRARY is not set, left out"
fi
claims tuning T1 T2 T3
claims tuning T4 T5 T7 T8 T9 T10 T11 --games "$(games 40)" --seeds 10 --evolution 12,20,32
claims tuning T6 --games "$(games 40)" --seeds 4 --evolution 12,20,32
claims threats M1 M2 M3 M5 M6 M7
claims threats M4 M8 M9 --games "$(games 200)"

# Ratings on the scale of CCRL Blitz, whose figures for the three are quoted from autumn 2026: of games of 10 s + 0.1 s.
rated=()
anchors=()
for anchor in stash-30=3164 stash-34=3328 ethereal-12.75=3424; do
  name=${anchor%%=*}
  [ -e "$out/$name-genetic.txt" ] && [ -e "$out/$name-alphabeta.txt" ] || continue
  rated+=("$out/$name-genetic.pgn" "$out/$name-alphabeta.pgn")
  anchors+=(--anchor "$anchor")
done
if [ ${#rated[@]} -gt 0 ]; then
  part ratings "$kashan" rate "${rated[@]}" "${anchors[@]}"
else
  echo "ratings: no games against programs with a rating, left out"
fi
echo "The campaign is over, in $out: $failed parts failed."
test "$failed" = 0
