#!/bin/sh
# Tries an archive where nothing else is: an empty Debian root that can't be written, another user, no network, and one
# writable folder. Needs root, debootstrap and bubblewrap: `scripts/release/try.sh release/chancery-….tar.xz`, or the
# unpacked folder.
set -eu
archive=$(readlink -f -- "$1")
here=$(dirname -- "$(readlink -f -- "$0")")
place=${TRY_FOLDER:-/var/tmp/chancery-try}
user=12345

mkdir -p "$place"
[ -d "$place/debian" ] || debootstrap --variant=minbase bookworm "$place/debian"
rm -rf "$place/debian/opt" "$place/data"
mkdir -p "$place/debian/opt" "$place/debian/data" "$place/data"
chown "$user:$user" "$place/data"
# PostgreSQL wants to know its user's name.
grep -q "^chancery:" "$place/debian/etc/passwd" ||
  echo "chancery:x:$user:$user::/data:/usr/sbin/nologin" >> "$place/debian/etc/passwd"
chmod 755 "$place" "$place/debian"
if [ -d "$archive" ]; then cp -a "$archive" "$place/debian/opt"; else tar -xf "$archive" -C "$place/debian/opt"; fi
install -m 644 "$here/try-inside.mjs" "$place/debian/opt/try.mjs"

# `--dev` has no shared memory of its own.
exec setpriv --reuid "$user" --regid "$user" --clear-groups -- \
  bwrap --unshare-all --die-with-parent --ro-bind "$place/debian" / --proc /proc --dev /dev --tmpfs /dev/shm \
  --bind "$place/data" /data --clearenv --setenv PATH /usr/bin:/bin --setenv SVC_DATA_DIR /data \
  sh -c 'root=$(echo /opt/chancery-*); exec "$root/bin/node" /opt/try.mjs "$root"'
