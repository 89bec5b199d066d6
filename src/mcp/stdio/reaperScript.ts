/**
 * What the reaper runs, for `sh`. It is told one thing in each line: first the mark of its owner as
 * it stands in environments, which no command line may show, then `+` and `-` with the number of a
 * group. At the end of its input it ends these groups and those of all that carry the mark.
 *
 * Numbers stand between blanks, so that each can be found and taken out whole. The number of a group
 * that was found gone may be another's a moment later, so that one is left alone from then on. A
 * process that was just being started shows the mark a moment later, so the first look is never the
 * last.
 */
export const reaperScript = `
trap '' HUP INT QUIT TERM
read -r mark || exit
case $mark in *=*.*.) ;; *) exit ;; esac
groups=' '
while read -r line; do
  group=\${line#?}
  case $line in
    +*) groups="$groups$group " ;;
    -*) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
marked() {
  if [ -r /proc/self/environ ]; then
    for file in $(grep -lsF "$mark" /proc/[0-9]*/environ); do
      stat=$(cat "\${file%environ}stat" 2>&-) || continue
      set -- \${stat##*) }
      echo "$3"
    done
  else
    ps -axEww -o pgid=,command= | while read -r group rest; do
      case $rest in *"$mark"*) echo "$group" ;; esac
    done
  fi
}
first=yes
for signal in TERM 0 KILL KILL KILL; do
  for group in $(marked); do
    case $groups in *" $group "*) ;; *) groups="$groups$group " ;; esac
  done
  left=' '
  for group in $groups; do
    [ "$group" -gt 1 ] && kill -s "$signal" -- "-$group" 2>&- && left="$left$group "
  done
  groups=$left
  [ "$groups$first" = ' ' ] && exit
  first=
  sleep 1
done
`;
