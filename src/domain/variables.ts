/** A `${…}` in a server's definition. */
export type Variable =
  /** Without a name: the first folder of the window. */
  | { readonly kind: 'workspaceFolder'; readonly name: string | undefined }
  | { readonly kind: 'userHome' }
  /** `default`: the value if the environment has none. */
  | { readonly kind: 'env'; readonly name: string; readonly default: string | undefined }
  | { readonly kind: 'input'; readonly name: string }
  /** Every visible root, each as a separate argument. */
  | { readonly kind: 'roots' }
  /** Every visible root in one text; without a separator, separated like paths of the system. */
  | { readonly kind: 'rootsJoined'; readonly separator: string | undefined }
  | { readonly kind: 'firstRoot' }
  /** `$${NAME}`: text in braces for the program itself, which gets `${NAME}`. */
  | { readonly kind: 'literal'; readonly text: string };

/** A variable as written; `undefined` if it is unknown. */
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

/** The variables of a text, known or not, in order. An unclosed `${` is not a variable. */
export function variablesIn(text: string): WrittenVariable[] {
  return splitAtVariables(text)
    .filter((_, index) => index % 2 === 1)
    .map(written);
}

/** The text with its variables replaced, in one pass: replacements are not searched again. */
export function replaceVariables(
  text: string,
  textFor: (written: WrittenVariable) => string,
): string {
  return splitAtVariables(text)
    .map((part, index) => (index % 2 === 1 ? textFor(written(part)) : part))
    .join('');
}

/** The parts of a text in turns: text without variables, which may be empty, then a variable. */
export function splitAtVariables(text: string): string[] {
  const parts: string[] = [];
  let end = 0;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, end)) {
    const close = text.indexOf('}', at);
    if (close < 0) {
      break; // Stops at once: a search from each of many `${` would take forever.
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
      // A variable can't contain another one.
      return initial?.includes(open) ? undefined : { kind, name: own, default: initial };
    }
    case 'rootsJoined':
      return { kind, separator: name };
    default:
      return undefined;
  }
}
