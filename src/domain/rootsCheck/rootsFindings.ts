import type { Era } from '../exposure.ts';
import { type Sentence, sentence } from '../sentence.ts';
import type { RootsRoute } from '../servers/serverDefinition.ts';

/** What made a server ask for its roots the first time. */
export type FirstAsked =
  | { readonly kind: 'start' | 'change' | 'never' }
  | { readonly kind: 'call'; readonly tool: string };

/** What one server did with roots when it was watched; `undefined`: that could not be seen. */
export interface RootsFindings {
  readonly era: Era;
  /** The negotiated revision. */
  readonly protocolVersion: string;
  readonly firstAsked: FirstAsked;
  /** Whether it asked once more after each change. */
  readonly asksAgain?: boolean | undefined;
  /** Whether it read in a folder that it was not told of. */
  readonly outside?: boolean | undefined;
  /** Whether it read in a folder that it was told of after its start. */
  readonly added?: boolean | undefined;
  /** Whether it still read in a folder after that was taken away. */
  readonly withdrawn?: boolean | undefined;
  /** Whether it still read in its folders after it was told of none. */
  readonly emptied?: boolean | undefined;
  /** The tools that were called, once each. */
  readonly called: readonly string[];
  /** Why there is no more of it: the server ended by itself, or the time was over. */
  readonly cutShort?: 'ended' | 'time' | undefined;
}

/** A row of the report: what was looked for, what was seen, and what follows from it for the user. */
export interface RootsFact {
  readonly what: Sentence;
  readonly seen: Sentence;
  readonly todo: Sentence | undefined;
}

/**
 * The findings as a table.
 *
 * @param rootsAs how the server gets its roots in use: a check offers them to every server.
 */
export function factsOf(
  { era, protocolVersion, firstAsked, called, cutShort, ...found }: RootsFindings,
  rootsAs: readonly RootsRoute[],
): RootsFact[] {
  const { asksAgain, outside, added, withdrawn, emptied } = found;
  return [
    fact('Protocol revision', sentence('{0}', protocolVersion)),
    fact('Asked for its roots', askedText(firstAsked), firstAsked.kind === 'never' && never[era]),
    fact(
      'Asked again after each change',
      seen(asksAgain),
      asksAgain === false && 'Restart it when its folders change.',
    ),
    fact(
      'Read a folder that it was not told of',
      seen(outside),
      outside && 'Its roots are no limit to it. Only a sandbox is.',
    ),
    fact('Read a folder that was added later', seen(added)),
    fact(
      'Kept a folder that was taken away',
      seen(withdrawn),
      withdrawn && 'Restart it when you revoke a folder.',
    ),
    fact(
      'Kept its old folders when told of none',
      seen(emptied),
      emptied && 'MCP Roots stops it when it loses its last folder.',
    ),
    called.length > 0
      ? fact('Called tools', sentence('{0}', called.join(', ')))
      : fact('Called tools', sentence('none reads by a path and is sure to change nothing')),
    ...(rootsAs.includes('roots')
      ? []
      : [
          fact(
            'Is offered its roots in use',
            sentence('no'),
            'This check offered them. "rootsAs" in its definition leaves "roots" out.',
          ),
        ]),
    ...(cutShort ? [fact('Was watched to the end', sentence(ending[cutShort]))] : []),
  ];
}

/** When the server asked for its roots the first time. */
export function askedText(firstAsked: FirstAsked): Sentence {
  switch (firstAsked.kind) {
    case 'start':
      return sentence('at its start');
    case 'change':
      return sentence('when it was told of a change');
    case 'call':
      return sentence('in a call of {0}', firstAsked.tool);
    case 'never':
      return sentence('never');
  }
}

const never = {
  legacy: 'Its roots do not decide what it can reach. Only a sandbox does.',
  // Some servers of both eras use roots only in the older one.
  modern:
    'It may ask in an older revision: set "protocol" to "legacy" in its definition, and check it again.',
};
const ending = { ended: 'no: it ended by itself', time: 'no: the check took too long' };

function fact(what: string, seen: Sentence, todo?: string | false): RootsFact {
  return { what: sentence(what), seen, todo: todo ? sentence(todo) : undefined };
}

function seen(value: boolean | undefined): Sentence {
  return sentence(value === undefined ? 'not seen' : value ? 'yes' : 'no');
}
