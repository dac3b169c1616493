#!/bin/bash
# Starts a node of the cluster in docker-compose.cluster.yml. A node bootstraps the cluster only if no other node accepts
# writes, and it either was the last to stop or is db1 with an empty volume. Otherwise it joins.
set -u
state=/var/lib/mysql/grastate.dat

takes_writes() {
  mariadb --no-defaults --connect-timeout=2 -h "$1" -u haproxy -N -e "SHOW STATUS LIKE 'wsrep_ready'" 2>/dev/null | grep -q ON
}

may_bootstrap() {
  local node
  for node in db1 db2 db3; do
    [ "$node" != "$NODE" ] && takes_writes "$node" && return 1
  done
  grep -qs '^safe_to_bootstrap: 1' "$state" || { [ ! -e "$state" ] && [ "$NODE" = db1 ]; }
}

bootstrap=()
may_bootstrap && bootstrap=(--wsrep-new-cluster)
exec docker-entrypoint.sh mariadbd --wsrep-node-name="$NODE" "${bootstrap[@]}"
