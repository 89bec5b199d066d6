import { printable } from '../printable.ts';
import { type Sentence, sentence } from '../sentence.ts';
import type { FirstAsked, Reach, RootsFindings, ToolFindings } from './rootsFindings.ts';

/** Everything that was seen, one sentence each. */
export function detailsOf(findings: RootsFindings): Sentence[] {
  const { reading, naming } = findings;
  return [
    ...manners(findings),
    calls(findings),
    ...(reading ? readingDetails(reading) : []),
    ...(naming ? namingDetails(naming) : []),
    ...ending(findings),
    sentence('This is what happened this time. It is no promise of what the server does next.'),
  ];
}

function manners({ era, protocolVersion, firstAsked, asksAgain }: RootsFindings): Sentence[] {
  const revision = printable(protocolVersion);
  return [
    era === 'modern'
      ? sentence('It speaks revision {0}, in which a server asks only inside calls.', revision)
      : sentence('It speaks revision {0}.', revision),
    firstAskedDetail(firstAsked),
    ...(firstAsked.kind === 'never' || asksAgain === undefined
      ? []
      : [
          asksAgain
            ? sentence('It asked again after each change.')
            : sentence('It did not ask again after each change.'),
        ]),
  ];
}

function firstAskedDetail(firstAsked: FirstAsked): Sentence {
  switch (firstAsked.kind) {
    case 'start':
      return sentence('It asked for its roots by itself at its start.');
    case 'change':
      return sentence('It first asked for its roots when it was told that they changed.');
    case 'call':
      return sentence(
        'It first asked for its roots inside a call of {0}.',
        printable(firstAsked.tool),
      );
    case 'never':
      return sentence('It did not ask for its roots.');
  }
}

function calls({ called, reading }: RootsFindings): Sentence {
  if (called.length === 0) {
    return sentence('No tool was called: none reads by a path and is sure to change nothing.');
  }
  const names = called.map(printable).join(', ');
  return reading
    ? sentence('Tools called: {0}.', names)
    : sentence('Tools called: {0}. None of them could be seen to read by a path.', names);
}

function readingDetails({ tool, outside, added, withdrawn, emptied }: ToolFindings): Sentence[] {
  const name = printable(tool);
  return [
    ...told(outside, name, {
      served: '{0} read in a folder that the server was never told of.',
      refused: '{0} refused a folder that the server was never told of.',
    }),
    ...told(added, name, {
      served: '{0} read in a folder that was added later.',
      refused: '{0} refused a folder that was added later.',
    }),
    ...told(withdrawn, name, {
      served: '{0} still read in a folder that was withdrawn.',
      refused: '{0} refused a folder that was withdrawn.',
    }),
    ...told(emptied, name, {
      served: '{0} still read in a folder after the server was told of none.',
      refused: '{0} refused every folder after the server was told of none.',
    }),
  ];
}

function namingDetails({ tool, outside, added, withdrawn, emptied }: ToolFindings): Sentence[] {
  const name = printable(tool);
  return [
    ...told(outside, name, {
      served: '{0} named a folder that the server was never told of.',
      refused: '{0} did not name a folder that the server was never told of.',
    }),
    ...told(added, name, {
      served: '{0} named a folder that was added later.',
      refused: '{0} did not name a folder that was added later.',
    }),
    ...told(withdrawn, name, {
      served: '{0} still named a folder that was withdrawn.',
      refused: '{0} no longer named a folder that was withdrawn.',
    }),
    ...told(emptied, name, {
      served: '{0} still named a folder after the server was told of none.',
      refused: '{0} named no folder after the server was told of none.',
    }),
  ];
}

function told(
  reach: Reach,
  tool: string,
  templates: Readonly<Record<'served' | 'refused', string>>,
): Sentence[] {
  return reach === 'untold' ? [] : [sentence(templates[reach], tool)];
}

function ending({ startsWithoutRoots, cutShort }: RootsFindings): Sentence[] {
  const without = {
    true: sentence('It also runs when it is offered no roots at all.'),
    false: sentence('It does not run when it is offered no roots at all.'),
  };
  const reason = {
    ended: sentence('It ended during the check, so there is more that is not known.'),
    time: sentence('The check took too long and was ended, so there is more that is not known.'),
  };
  return [
    ...(startsWithoutRoots === undefined ? [] : [without[`${startsWithoutRoots}`]]),
    ...(cutShort === undefined ? [] : [reason[cutShort]]),
  ];
}
