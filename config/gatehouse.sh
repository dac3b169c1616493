#!/bin/sh
# Runs the operators' command of the running release as the service's user, in the caller's folder. Install it as
# /usr/local/bin/gatehouse; "Going live" in docs/operations.md explains the folders.
set -- node --env-file=/srv/gatehouse/.env /srv/gatehouse/current/dist/gatehouse.js "$@"
if [ "$(id -u)" = 0 ]; then exec runuser -u gatehouse -- "$@"; fi
exec "$@"
