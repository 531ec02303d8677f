#!/usr/bin/env bash
# What action.yml does once landfall is on the path: replay, audit, reports, verdict. Its inputs are variables.
set -euo pipefail

out=${LANDFALL_OUT:-landfall-records}
from=("$out")
maps=()
arguments=(--out "$out")
if [[ -n ${LANDFALL_CORPUS:-} ]]; then
  arguments+=(--corpus "$LANDFALL_CORPUS")
  maps+=(--map "corpus=$LANDFALL_CORPUS")
  if [[ -n ${LANDFALL_NEGATIVES:-} ]]; then
    arguments+=(--negatives "$LANDFALL_NEGATIVES")
    maps+=(--map "negatives=$LANDFALL_NEGATIVES")
  else
    maps+=(--map "negatives=$LANDFALL_CORPUS/negative-cases")
  fi
fi
if [[ -n ${LANDFALL_BUNDLE:-} ]]; then
  arguments+=(--bundle "$LANDFALL_BUNDLE")
  maps+=(--map "bundle=$LANDFALL_BUNDLE")
fi

# 0 and 1 are verdicts; anything else is no verdict at all, and ends the step.
verdict=0
judged() { "$@" || { local code=$?; ((code == 1)) || { say verdict failed; exit "$code"; }; verdict=1; }; }
say() { echo "$1=$2" >>"${GITHUB_OUTPUT:-/dev/null}"; }

judged landfall replay "${arguments[@]}"

sessions=()
while IFS= read -r session; do
  [[ -z $session ]] || sessions+=("$session")
done <<<"${LANDFALL_SESSIONS:-}"
if ((${#sessions[@]})); then
  judged landfall audit "${sessions[@]}" --format json >"$out/audit.json"
  from+=("$out/audit.json")
fi

judged landfall report "${from[@]}" "${maps[@]}" --format github
judged landfall report "${from[@]}" "${maps[@]}" --format summary >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
for report in sarif:landfall.sarif junit:junit.xml html:landfall.html in-toto:landfall.intoto.json; do
  judged landfall report "${from[@]}" "${maps[@]}" --format "${report%%:*}" --out "$out/${report#*:}"
done
say sarif "$out/landfall.sarif"
say page "$out/landfall.html"
if ((verdict)); then say verdict blocked; else say verdict pass; fi
exit "$verdict"
