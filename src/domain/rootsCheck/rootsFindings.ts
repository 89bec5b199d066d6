import type { Era } from '../exposure.ts';
import { type Sentence, sentence } from '../sentence.ts';

/** The observed dealings of one server with roots; `undefined`: they could not be seen. */
export interface RootsFindings {
  readonly era: Era;
  /** The negotiated revision. */
  readonly protocolVersion: string;
  /** When it asked for its roots the first time; `undefined`: never. */
  readonly firstAsked: Sentence | undefined;
  /** Whether it asked once more after a change. */
  readonly asksAgain?: boolean | undefined;
  /** Whether it read in a folder that it was not told of. */
  readonly outside?: boolean | undefined;
  /** Whether it read in a folder that it was told of after its start. */
  readonly added?: boolean | undefined;
  /** Whether it still read in a folder after that was taken away. */
  readonly withdrawn?: boolean | undefined;
  /** The tools that were called, once each. */
  readonly called: readonly string[];
  /** Why there is no more of it: the server ended by itself, or the time was over. */
  readonly cutShort?: 'ended' | 'time' | undefined;
}

interface RootsFact {
  readonly what: Sentence;
  readonly seen: Sentence;
  readonly todo: Sentence | undefined;
}

export function factsOf(findings: RootsFindings): RootsFact[] {
  const { era, protocolVersion, firstAsked, called, cutShort } = findings;
  const { asksAgain, outside, added, withdrawn } = findings;
  return [
    fact('Protocol revision', sentence('{0}', protocolVersion)),
    fact('Asked for its roots', firstAsked ?? sentence('never'), !firstAsked && never[era]),
    fact(
      'Asked again after a change',
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
    called.length > 0
      ? fact('Called tools', sentence('{0}', called.join(', ')))
      : fact('Called tools', sentence('none reads by a path and is sure to change nothing')),
    ...(cutShort ? [fact('Was watched to the end', sentence(ending[cutShort]))] : []),
  ];
}

const never = {
  legacy: 'Its roots do not decide what it can reach. Only a sandbox does.',
  // As with version 2.0.1 of server-filesystem.
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
