/**
 * The line of a standard error that says why its process ended, as far as that can be told;
 * `undefined`: none says anything.
 *
 * It is the last one that is no decoration. Of an error with a stack, which Node ends with its own
 * version and others with the properties of the error, it is the line with the error itself.
 */
export function lastWords(stderr: readonly string[]): string | undefined {
  const stack = stderr.findLastIndex(line => stackFrame.test(line));
  const afterStack = stderr.slice(stack + 1).filter(line => !isDecoration(line, stack >= 0));
  const beforeStack = stderr.slice(0, Math.max(stack, 0)).filter(line => !isDecoration(line, true));
  const found =
    afterStack.at(-1) ??
    beforeStack.findLast(isHeadline) ??
    beforeStack.at(-1) ??
    // Its beginning was not kept; what caused it, or one of several, may have been.
    stderr.findLast(line => /Error:/.test(line));
  return found?.trim();
}

const stackFrame = /^\s+at .*(?:[):]\S*\d|\)|<anonymous>|native)$/;

const decorations: readonly RegExp[] = [
  /^\s*$/,
  stackFrame,
  /^Node\.js v\d/,
  /^\(Use `\w+ --trace-/,
  /^npm (?:error|ERR!) A complete log of this run/,
  // Below a line of code, what is wrong in it.
  /^\s*[\^~]+\s*$/,
];

/** The properties that Node writes of an error are indented, and end with a bracket. */
const property = /^\s+\S|^[}\]]+$/;

function isDecoration(line: string, isOfError: boolean): boolean {
  return decorations.some(known => known.test(line)) || (isOfError && property.test(line));
}

/** Whether it begins an error, which may go on for further lines. */
function isHeadline(line: string): boolean {
  return /^(?:Uncaught )?[\w.$]*(?:Error|Exception)(?: \[\w+\])?:/.test(line);
}
