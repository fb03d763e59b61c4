#!/usr/bin/env bash
# Two whole assessments by commands only, labels filled in from the truth until the stopping rule says stop.
# Usage: examples/whole_loop.sh DATA_FOLDER > docs/transcript.md
set -euo pipefail
data=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$data/cifar100_resnet110_authors_top1.parquet" "$data/compas_two_years.parquet" "$work"
cd "$work"

run() { # show a command as it would be typed, then run it
    echo "\$ $*"
    "$@"
}

until_it_says_stop() { # STORE PREDICTIONS LABELS_A_ROUND
    local round=0
    until labelwise answer "$1" --no-forecast --json > answer.json; do
        labelwise ask "$1" -n "$3" -o to_label.csv
        python "$here/fill_in.py" to_label.csv "$2" label > labelled.csv
        labelwise tell "$1" labelled.csv
        round=$((round + 1))
    done
    echo "# the rule was met after $round rounds"
}

heading() { # begin a section; what follows is shown as it ran
    echo
    echo "## $1"
    echo
    echo '```text'
}

echo "# Two whole assessments, as they ran"
echo
echo "Written by \`make transcript\` (examples/whole_loop.sh). The labeller is a script that looks the truth up."
heading "Which of 100 classes is the worst? The papers' own CIFAR-100 predictions"
run labelwise plan cifar100_resnet110_authors_top1.parquet --predicted pred --confidence conf \
    --question worst --stop believed --seed 7 --limit 10000
run labelwise new cifar.lw cifar100_resnet110_authors_top1.parquet --predicted pred --confidence conf \
    --question worst --seed 7
run labelwise ask cifar.lw -n 5 -o to_label.csv
run cat to_label.csv
echo "\$ python fill_in.py to_label.csv cifar100_resnet110_authors_top1.parquet label > labelled.csv"
python "$here/fill_in.py" to_label.csv cifar100_resnet110_authors_top1.parquet label > labelled.csv
run cat labelled.csv
run labelwise tell cifar.lw labelled.csv
run labelwise answer cifar.lw --rows 5 --no-forecast || echo "# left with $?: not sure enough yet"
echo "\$ until labelwise answer cifar.lw; do labelwise ask ... ; fill in ...; labelwise tell ...; done"
until_it_says_stop cifar.lw cifar100_resnet110_authors_top1.parquet 200
run labelwise answer cifar.lw --rows 5
run labelwise store verify cifar.lw
run labelwise store close cifar.lw

echo '```'
heading "Is COMPAS equally accurate for two groups?"
run labelwise new compas.lw compas_two_years.parquet --predicted pred --by race \
    --question compare --compare African-American Caucasian --margin 0.05 --sure 0.9 --seed 7
echo "\$ until labelwise answer compas.lw; do labelwise ask ... ; fill in ...; labelwise tell ...; done"
until_it_says_stop compas.lw compas_two_years.parquet 200
run labelwise answer compas.lw
run labelwise status compas.lw
echo '```'
