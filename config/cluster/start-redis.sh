#!/bin/sh
# Starts a master, replica or sentinel of docker-compose.cluster.yml in /data, with the password in REDISCLI_AUTH. The
# script writes the password into files, because every user of the host can read a process's arguments. It creates each file
# only once, because Redis and the sentinels rewrite theirs at each failover.
umask 077
if [ "$1" = sentinel ]; then
  [ -e sentinel.conf ] || {
    cat /etc/gatehouse/sentinel.conf
    printf 'requirepass %s\nsentinel auth-pass gatehouse %s\n' "$REDISCLI_AUTH" "$REDISCLI_AUTH"
  } >sentinel.conf
  exec redis-sentinel sentinel.conf
fi
[ -e redis.conf ] || {
  printf 'requirepass %s\nmasterauth %s\n' "$REDISCLI_AUTH" "$REDISCLI_AUTH"
  [ "$1" = master ] || echo 'replicaof 172.30.32.31 6379'
} >redis.conf
exec redis-server redis.conf --save "" --appendonly yes
