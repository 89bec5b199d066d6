/** A `${…}` in a server's definition. */
export type Variable =
  /** Without a name: the first folder of the window. */
  | { readonly kind: 'workspaceFolder'; readonly name: string | undefined }
  | { readonly kind: 'userHome' }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'input'; readonly name: string }
  /** Every visible root, each as an argument of its own. */
  | { readonly kind: 'roots' }
  /** Every visible root in one text; without a separator, as the system separates paths. */
  | { readonly kind: 'rootsJoined'; readonly separator: string | undefined }
  | { readonly kind: 'firstRoot' };

/** A variable where it stands; `undefined` for one that is not known. */
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

/** The variables of a text, known or not, in their order. A `${` that nothing closes is none. */
export function variablesIn(text: string): WrittenVariable[] {
  return splitAtVariables(text)
    .filter((_, index) => index % 2 === 1)
    .map(written);
}

/** The text with its variables replaced, in one pass: what is put in is not looked at again. */
export function replaceVariables(
  text: string,
  textFor: (written: WrittenVariable) => string,
): string {
  return splitAtVariables(text)
    .map((part, index) => (index % 2 === 1 ? textFor(written(part)) : part))
    .join('');
}

/** The parts of a text in turn: one without variables, which may be empty, a variable, and so on. */
export function splitAtVariables(text: string): string[] {
  const parts: string[] = [];
  let end = 0;
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, end)) {
    const close = text.indexOf('}', start);
    if (close < 0) {
      break; // Looked for once: from each of many `${` it would take for ever.
    }
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
  return { asWritten, variable: parse(asWritten.slice(open.length, -1)) };
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
    case 'env':
    case 'input':
      return { kind, name };
    case 'rootsJoined':
      return { kind, separator: name };
    default:
      return undefined;
  }
}
