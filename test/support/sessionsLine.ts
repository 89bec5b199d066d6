/**
 * A line for `sh` that starts three processes in the background, each in a new session. They ignore
 * the signals to end. The first starts the second, and a process that is gone started the third.
 * Each writes an empty file `<pid>.grandchild` into the folder.
 */
export function sessionsLine(folder: string): string {
  const script = `
    trap '' HUP INT TERM
    [ $1 -lt 4 ] && setsid sh -c "$2" sh $(($1 + 1)) "$2" &
    [ $1 = 3 ] && exit
    : > '${folder}'/$$.grandchild
    exec sleep 1000`;
  const quoted = `'${script.replaceAll("'", `'\\''`)}'`;
  return `setsid sh -c ${quoted} sh 1 ${quoted} < /dev/null > /dev/null 2>&1 &`;
}
