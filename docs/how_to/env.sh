# What the guides use. In bash, in the folder of the project, beside `make run`: source docs/how_to/env.sh
export SMALLVILLE_HOME="${SMALLVILLE_HOME:-$PWD/.smallville}"
TOKEN=$(cat "$SMALLVILLE_HOME/token")
API=$(cat "$SMALLVILLE_HOME/address")/api/v1
ID=$(cat "$SMALLVILLE_HOME/simulation")   # of the simulation of `make run`, until `create` chooses another
SIMULATION=$API/simulations/$ID
OUTPUT=$SMALLVILLE_HOME/output            # for the files that guides write
mkdir -p "$OUTPUT"

# Requests; each shows the document of the response.
get() { _request GET "$1" | show; }
post() { _request POST "$1" -d "$2" | show; }
patch() { _request PATCH "$1" -d "$2" | show; }
delete() { _request DELETE "$1" | show; }
_request() { curl -sS -X "$1" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" "${@:3}" "$2"; }

# A document: all of it; the members that are named (`pick clock.time status`), on a line each;
# a list as lines (`rows results name age`).
show() { .venv/bin/python docs/how_to/show.py show; }
pick() { .venv/bin/python docs/how_to/show.py pick "$@"; }
rows() { .venv/bin/python docs/how_to/show.py rows "$@"; }

# create NAME UNTIL MEMBERS: create a simulation, run it until a game time and wait for that; ID and
# SIMULATION name it from then on. One that has this name already is taken as it is.
create() {
    ID=$(get "$API/simulations?limit=100" | rows results id name | sed -n "s/^\([^ ]*\)  $1\$/\1/p" | tail -n 1)
    if [ -z "$ID" ]; then
        ID=$(post "$API/simulations" "{\"name\": \"$1\", ${3#\{}" | pick id) || return
    fi
    SIMULATION=$API/simulations/$ID
    run_until "$2"
}

# run_until TIME: run $SIMULATION as fast as possible until a game time, and wait for it.
run_until() {
    if [[ $(get "$SIMULATION" | pick clock.time) < $1 ]]; then
        post "$SIMULATION/run" "{\"until\": \"$1\"}" | pick id > /dev/null || return
        while [ "$(get "$SIMULATION" | pick status)" = running ]; do sleep 1; done
    fi
    get "$SIMULATION" | pick clock.time
}

# wait_for ADDRESS: wait while the work at an address is not over, and show its state.
wait_for() {
    while state=$(get "$1" | pick state) && [[ $state =~ ^(pending|accepted|running)$ ]]; do sleep 1; done
    echo "$state"
}
