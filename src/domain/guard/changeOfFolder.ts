/** A command line that begins with `cd`. */
export interface ChangeOfFolder {
  /** What is read as any command. */
  readonly start: string;
  /** The words behind it, as they are seen from where the line begins. */
  readonly words: readonly string[];
}

/**
 * The words of a line like `cd src && ls ..`, in which nothing can go wrong unnoticed: no quotes, no
 * other change of the folder, and nothing behind `cd` that is run where it fails. All that climbs
 * counts together, for a program may change the folder again by one such word and use another there.
 * `undefined` for every other line.
 */
export function wordsBehindChange(line: string): ChangeOfFolder | undefined {
  const [, folder, rest = ''] = simpleChange.exec(line) ?? [];
  if (folder === undefined || /(?:^|\s)(?:cd|pushd|popd|chdir|eval|source|\.)(?:\s|$)/.test(rest)) {
    return undefined;
  }
  const words = rest.split(/ +|&&/).filter(word => word !== '');
  const climbing = words.filter(isClimb);
  return {
    start: [`cd ${folder}`, ...words.filter(word => !isClimb(word))].join(' '),
    words: climbing.length === 0 ? [] : [[folder, ...climbing].join('/')],
  };
}

const simpleChange = /^cd (\w[\w.@/-]*) && ((?:[\w ./@,:=+*?-]|&&)+)$/;

function isClimb(word: string): boolean {
  return /^(?:\.\.(?:\/|$))+[\w./-]*$/.test(word);
}

/** Whether a line goes to the home folder by a `cd` with no folder behind it. */
export function goesHome(line: string): boolean {
  return line.includes('cd') && bareChange.test(line);
}

/** Also with options, with a parameter that is empty, and at the start of a quoted command. */
const bareChange =
  /(?:(?:^|[;&|({`\n]|\b(?:then|do|else|builtin|command)\s)\s{0,9}\\?cd|["']cd(?=.))(?:\s{1,9}(?:-[LPe-]+|\$[\d@*!-]))*(?:\s{0,9}\d?>\s{0,9}[\w./]+){0,2}[^\S\n]{0,9}(?:$|[;&\n]|\|\|)/;
