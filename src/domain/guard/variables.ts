/** With every variable of a shell or of Windows taken as empty. */
export function withoutVariables(text: string): string {
  return mayHoldVariable.test(text) ? text.replace(variables, '') : text;
}

/** With what stands in `${name:-word}` and its like for the variable in place of it. */
export function withWordsOfVariables(text: string): string {
  let found = text;
  for (let depth = 0; depth < deepest; depth++) {
    const before = found;
    found = found.replace(wordOfVariable, '$1');
    if (found === before) {
      break;
    }
  }
  return found;
}

/** What a text may become when a shell puts something for its variables, itself among it. */
export function expansionsOf(text: string): ReadonlySet<string> {
  if (!mayHoldVariable.test(text)) {
    return new Set([text]);
  }
  const words = withWordsOfVariables(text);
  return new Set([text, withoutVariables(text), words, withoutVariables(words)]);
}

/** Whether it begins with a variable that has a name, which may stand for any folder. */
export function startsWithVariable(text: string): boolean {
  return /^(?:\$\{|\$[a-z_]|%[a-z_][\w()]*[%:]|![a-z_]\w*!)/i.test(text);
}

/** Whether it leads to what a variable stands for, or to something in there. */
export function isInVariable(text: string): boolean {
  return inVariable.test(text) || folderVariable.test(text);
}

const mayHoldVariable = /[$%!]/;
/** Such words may hold others. */
const deepest = 10;

/** Those of POSIX shells, of PowerShell and of Windows, which takes parts of them by `%NAME:~0,3%`. */
const named = /\$\{[^{}]*\}|\$env:\w+|\$[a-z_]\w*|%[a-z_][\w()]*(?::[^%\s]{0,50})?%|![a-z_]\w*!/;
/** They are empty in a command; what is divided by a number is a field of `awk`. */
const parameter = /\$[\d@*!-](?!(?:\/\d+(?:\.\d+)?)+(?![\w./]))/;
const variables = new RegExp(`${named.source}|${parameter.source}`, 'gi');
/** Not so `$1/`, as in the replacement `$1/$2`. */
const inVariable = new RegExp(`^(?:(?:${named.source}|\\$[@*!-])+[\\\\/]|%[a-z_][\\w()]*:~)`, 'i');
const folderVariable =
  /^(?:[$%]\{?|\$env:)(?:HOME|HOMEPATH|HOMEDRIVE|USERPROFILE|(?:LOCAL)?APPDATA|PROGRAMDATA|PROGRAMFILES|SYSTEMROOT|WINDIR|TE?MP|TMPDIR|PWD|OLDPWD|XDG_\w+)(?:[}%]?|[^\w{}][^{}]*\})$/i;
/** Behind `:-`, `=`, `+` and their like, and behind `/pattern/`. */
const wordOfVariable =
  /\$\{!?(?:\w+|[@*#?$!-])(?:\[[^\]{}]*\])?(?::?[-+=]|\/{1,2}[^/{}]*\/)([^{}]*)\}/g;
