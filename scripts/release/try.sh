#!/bin/sh
# Tries an archive where nothing else is: an empty Debian root that can't be written, another user, no network, and one
# writable folder. Needs root, debootstrap and bubblewrap: `scripts/release/try.sh release/chancery-….tar.xz`, or the
# unpacked folder. With the archive of the release before as a second argument, that one is filled first and upgraded.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
place=${TRY_FOLDER:-/var/tmp/chancery-try}
user=12345

mkdir -p "$place"
[ -d "$place/debian" ] || debootstrap --variant=minbase bookworm "$place/debian"
rm -rf "$place/unpacked" "$place/data"
mkdir -p "$place/debian/release" "$place/debian/before" "$place/debian/try" "$place/debian/data" "$place/data"
chown "$user:$user" "$place/data"
# PostgreSQL wants to know its user's name.
grep -q "^chancery:" "$place/debian/etc/passwd" ||
  echo "chancery:x:$user:$user::/data:/usr/sbin/nologin" >> "$place/debian/etc/passwd"
chmod 755 "$place" "$place/debian"

# Answers with the unpacked folder.
unpack() {
  [ ! -d "$1" ] || { readlink -f -- "$1"; return; }
  mkdir -p "$place/unpacked/$2"
  tar -xf "$1" -C "$place/unpacked/$2"
  echo "$place/unpacked/$2"/chancery-*
}
release=$(unpack "$1" release)
before=$release
[ $# -lt 2 ] || before=$(unpack "$2" before)

# `--dev` has no shared memory of its own.
exec setpriv --reuid "$user" --regid "$user" --clear-groups -- \
  bwrap --unshare-all --die-with-parent --ro-bind "$place/debian" / --proc /proc --dev /dev --tmpfs /dev/shm \
  --ro-bind "$release" /release --ro-bind "$before" /before --ro-bind "$here/try" /try \
  --bind "$place/data" /data --clearenv --setenv PATH /usr/bin:/bin \
  /release/bin/node /try/inside.mjs /before /release
