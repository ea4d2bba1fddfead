#!/bin/sh
# Makes what compose.yaml reads from ./secrets, once. Keep a copy of the folder: without it stored data can't be read.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir secrets
# Containers run as other users than you and get these files as they are; the folder is closed to others.
secret() { head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
for name in jwt_secret svc_secret_key setup_key postgres_password s3_secret_key; do secret > "secrets/$name"; done
echo "postgres://chancery:$(cat secrets/postgres_password)@postgres:5432/chancery" > secrets/database_url
cat > secrets/s3_config <<CONFIG
{"identities": [{"name": "chancery",
  "credentials": [{"accessKey": "chancery", "secretKey": "$(cat secrets/s3_secret_key)"}],
  "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}
CONFIG
chmod 644 secrets/*
echo "The setup key of the first platform admin: $(cat secrets/setup_key)"
