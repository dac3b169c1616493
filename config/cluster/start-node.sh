#!/bin/bash
# Starts a node of the cluster in docker-compose.cluster.yml. A node founds the cluster only if no other node takes writes, and
# it was the last one to stop, or is db1 with an empty volume. Otherwise it joins.
set -u
state=/var/lib/mysql/grastate.dat

status() { # HOST NAME
  mariadb --no-defaults --connect-timeout=2 -h "$1" -u haproxy -N -e "SHOW STATUS LIKE '$2'" 2>/dev/null | cut -f 2
}

may_found() {
  local node
  for node in db1 db2 db3; do
    [ "$node" != "$NODE" ] && [ "$(status "$node" wsrep_ready)" = ON ] && return 1
  done
  grep -qs '^safe_to_bootstrap: 1' "$state" || { [ ! -e "$state" ] && [ "$NODE" = db1 ]; }
}

# A reboot stops all nodes at once, and then none of them might be marked as the last. So db1 lets the others leave first.
stop() {
  for _ in {1..10}; do
    [ "$NODE" != db1 ] || [ "$(status 127.0.0.1 wsrep_cluster_size)" = 1 ] && break
    sleep 1
  done
  kill "$server"
}

found=()
may_found && found=(--wsrep-new-cluster)
docker-entrypoint.sh mariadbd --wsrep-node-name="$NODE" "${found[@]}" &
server=$!
trap stop TERM
wait "$server" # until it ends, or the trap interrupts this
wait "$server"
