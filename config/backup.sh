#!/bin/sh
# Dumps the account database to /backup/<name>.sql.gz. The default name contains the date. Run it as the service's user, whose
# ~/.my.cnf has host, user and password. A pipe into gzip would hide a failed dump, so the dump is checked first.
set -eu
file=/backup/${1:-gatehouse-$(date -u +%Y-%m-%d)}.sql
mysqldump --single-transaction --no-tablespaces --default-character-set=utf8mb4 gatehouse > "$file"
if ! tail -n 1 "$file" | grep -q '^-- Dump completed'; then
  echo "THE DUMP FAILED: $file is not complete" >&2
  exit 1
fi
gzip -f "$file"
