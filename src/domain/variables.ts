/** A `${…}` in a server's definition. */
export type Variable =
  /** The folder of the window with this name; left out: the first folder. */
  | { readonly kind: 'workspaceFolder'; readonly name: string | undefined }
  | { readonly kind: 'userHome' }
  /** `default`: the value to use if the environment has no value. */
  | { readonly kind: 'env'; readonly name: string; readonly default: string | undefined }
  | { readonly kind: 'input'; readonly name: string }
  /** All visible roots, each as one argument. */
  | { readonly kind: 'roots' }
  /** All visible roots in one text. The default separator is the system's for paths. */
  | { readonly kind: 'rootsJoined'; readonly separator: string | undefined }
  | { readonly kind: 'firstRoot' }
  /** `$${NAME}`: the program gets the text `${NAME}`. */
  | { readonly kind: 'literal'; readonly text: string };

/** A variable as written. If it is unknown, `variable` is `undefined`. */
export interface WrittenVariable {
  readonly asWritten: string;
  readonly variable: Variable | undefined;
}

export const knownVariables = [
  '${workspaceFolder}',
  '${workspaceFolder:name}',
  '${userHome}',
  '${env:NAME}',
  '${input:id}',
  '${roots}',
  '${rootsJoined:separator}',
  '${firstRoot}',
] as const;

/** The variables of a text, known or unknown, in order. `${` without an end is not a variable. */
export function variablesIn(text: string): WrittenVariable[] {
  return splitAtVariables(text)
    .filter((_, index) => index % 2 === 1)
    .map(written);
}

/** The text with its variables replaced in one pass. Variables in replacements stay. */
export function replaceVariables(
  text: string,
  textFor: (written: WrittenVariable) => string,
): string {
  return splitAtVariables(text)
    .map((part, index) => (index % 2 === 1 ? textFor(written(part)) : part))
    .join('');
}

/** The text split into parts: in turns a text without variables, maybe empty, and a variable. */
export function splitAtVariables(text: string): string[] {
  const parts: string[] = [];
  let end = 0;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, end)) {
    const close = text.indexOf('}', at);
    if (close < 0) {
      break; // Stops, because a search from each of many `${` would take forever.
    }
    const start = text[at - 1] === '$' ? at - 1 : at;
    parts.push(text.slice(end, start), text.slice(start, close + 1));
    end = close + 1;
  }
  return [...parts, text.slice(end)];
}

/** True if the value of a variable depends on the visible roots. */
export function isOfRoots({ kind }: Variable): boolean {
  return kind === 'roots' || kind === 'rootsJoined' || kind === 'firstRoot';
}

const open = '${';

function written(asWritten: string): WrittenVariable {
  const variable = asWritten.startsWith('$$')
    ? ({ kind: 'literal', text: asWritten.slice(1) } as const)
    : parse(asWritten.slice(open.length, -1));
  return { asWritten, variable };
}

function parse(inside: string): Variable | undefined {
  const colon = inside.indexOf(':');
  return colon < 0
    ? withoutName(inside)
    : withName(inside.slice(0, colon), inside.slice(colon + 1));
}

function withoutName(kind: string): Variable | undefined {
  switch (kind) {
    case 'workspaceFolder':
      return { kind, name: undefined };
    case 'rootsJoined':
      return { kind, separator: undefined };
    case 'userHome':
    case 'roots':
    case 'firstRoot':
      return { kind };
    default:
      return undefined;
  }
}

function withName(kind: string, name: string): Variable | undefined {
  if (name === '') {
    return undefined;
  }
  switch (kind) {
    case 'workspaceFolder':
    case 'input':
      return { kind, name };
    case 'env': {
      const [own = '', initial] = name.split(/:-(.*)/s);
      // A variable can't contain another variable.
      return initial?.includes(open) ? undefined : { kind, name: own, default: initial };
    }
    case 'rootsJoined':
      return { kind, separator: name };
    default:
      return undefined;
  }
}
