/** What a `${…}` in a server's definition stands for. */
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
export interface Written {
  readonly asWritten: string;
  readonly variable: Variable | undefined;
}

/** The variables there are, as a person would write them. */
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
export function variablesIn(text: string): Written[] {
  return [...text.matchAll(pattern)].map(([asWritten, inside = '']) => ({
    asWritten,
    variable: parse(inside),
  }));
}

/** The text with its variables replaced, in one pass: what is put in is not looked at again. */
export function replaceVariables(text: string, textFor: (written: Written) => string): string {
  return text.replace(pattern, (asWritten, inside) =>
    textFor({ asWritten, variable: parse(inside) }),
  );
}

/** Whether the value of a variable depends on which roots are visible. */
export function isOfRoots({ kind }: Variable): boolean {
  return kind === 'roots' || kind === 'rootsJoined' || kind === 'firstRoot';
}

const pattern = /\$\{([^}]*)\}/g;

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
