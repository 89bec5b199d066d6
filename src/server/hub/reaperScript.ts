import { hubMark } from '../hubMark.ts';

/**
 * What the reaper runs, for `sh`. It is told one thing in each line: `+` and `-` with the number of a
 * group, `?` and `!` with the mark of a process that is expected, and no longer is. At the end of
 * its input it ends all of them.
 *
 * They stand between blanks, so that each can be found and taken out whole. The number of a group that
 * was found gone may be another's a moment later, so that one is left alone from then on.
 */
export const reaperScript = `
trap '' HUP INT QUIT TERM
groups=' '
marks=' '
while read -r line; do
  one=\${line#?}
  case $line in
    +*) groups="$groups$one " ;;
    -*) groups="\${groups%% $one *} \${groups#* $one }" ;;
    \\?*) marks="$marks$one " ;;
    !*) marks="\${marks%% $one *} \${marks#* $one }" ;;
  esac
done
[ "$groups$marks" = '  ' ] && exit
having() {
  if [ -r /proc/self/environ ]; then
    grep -lsF "${hubMark}=$1" /proc/[0-9]*/environ | tr -cd '0-9\\n'
  else
    ps -axEww -o pid=,command= | while read -r pid rest; do
      case $rest in *"${hubMark}=$1"*) echo "$pid" ;; esac
    done
  fi
}
find_started() {
  for mark in $marks; do
    for pid in $(having "$mark"); do
      case $groups in *" $pid "*) ;; *) groups="$groups$pid " ;; esac
    done
  done
}
send() {
  left=' '
  for group in $groups; do kill -s "$1" -- "-$group" && left="$left$group "; done
  groups=$left
}
find_started
send TERM
sleep 1
find_started
send 0
sleep 1
find_started
send KILL
`;
