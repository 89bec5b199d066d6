import { printable } from '../printable.ts';
import { inEnglish, type Sentence, sentence } from '../sentence.ts';
import type { RootsRoute } from '../servers/serverDefinition.ts';
import {
  type FirstAsked,
  type Reach,
  type RootsFindings,
  reachAfter,
  type ToolFindings,
} from './rootsFindings.ts';

/** What a person needs to know of it, in a line: how the server asks, and what follows from the rest. */
export function verdictOf(label: string, findings: RootsFindings): Sentence[] {
  return [askingSentence(label, findings), ...consequences(findings)];
}

/** How the server asks for its roots. */
export function askingSentence(label: string, findings: RootsFindings): Sentence {
  const { firstAsked, asksAgain } = findings;
  switch (firstAsked.kind) {
    case 'start':
      return sentence(askingAtStart(asksAgain), label);
    case 'change':
      return sentence('{0} asks for its roots only when it is told that they changed.', label);
    case 'call': {
      const tool = printable(firstAsked.tool);
      return sentence('{0} asks for its roots inside calls, first in one of {1}.', label, tool);
    }
    case 'never':
      return sentence(askingNever(findings), label);
  }
}

function askingNever({ era, called, sandbox }: RootsFindings): string {
  if (era === 'legacy') {
    return sandbox
      ? '{0} did not ask for its roots: its sandbox decides what it can reach.'
      : '{0} did not ask for its roots, so they do not decide what it can reach.';
  }
  return called.length > 0
    ? '{0} did not ask for its roots in the calls that were made.'
    : '{0} can ask for its roots only inside a call, and has no tool that is sure to change nothing.';
}

function askingAtStart(asksAgain: boolean | undefined): string {
  switch (asksAgain) {
    case true:
      return '{0} asks for its roots at its start and again after each change.';
    case false:
      return '{0} asks for its roots at its start, but not again after each change.';
    case undefined:
      return '{0} asks for its roots at its start.';
  }
}

function consequences(findings: RootsFindings): Sentence[] {
  const { reading, sandbox } = findings;
  if (reading?.outside === 'served') {
    return [
      sentence('It reads folders that it was never told of, so its roots are no limit to it.'),
      ...(sandbox?.beyond === 'refused'
        ? [sentence('Its sandbox is one: it read nothing outside of that.')]
        : []),
    ];
  }
  return findings.firstAsked.kind === 'never'
    ? unasked(findings)
    : [...afterRevoking(findings), ...afterTheLast(findings)];
}

/** Some servers of both kinds of revisions use roots only in the older ones. */
function unasked({ era }: RootsFindings): Sentence[] {
  return era === 'modern'
    ? [
        sentence(
          'It may ask in an older revision: set "protocol" to "legacy" in its definition, and check it again.',
        ),
      ]
    : [];
}

function afterRevoking(findings: RootsFindings): Sentence[] {
  return reachAfter(findings, 'withdrawn') === 'served'
    ? [sentence('It keeps a folder that is revoked until it is restarted.')]
    : [];
}

function afterTheLast(findings: RootsFindings): Sentence[] {
  switch (reachAfter(findings, 'emptied')) {
    case 'served':
      return [
        sentence('It keeps its old folders when it is told of none.'),
        sentence('MCP Roots therefore stops it when it loses its last folder.'),
      ];
    case 'refused':
      return [sentence('It gives up its folders when it is told of none.')];
    case 'untold':
      return [
        sentence('Whether it gives up its folders when it is told of none could not be told.'),
      ];
  }
}

/** Everything that was seen, one sentence each. */
export function detailsOf(findings: RootsFindings): Sentence[] {
  const { reading, naming } = findings;
  return [
    ...manners(findings),
    calls(findings),
    ...(reading ? readingDetails(reading) : []),
    ...(naming ? namingDetails(naming) : []),
    ...sandboxDetails(findings),
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

function sandboxDetails({ reading, sandbox }: RootsFindings): Sentence[] {
  if (!sandbox) {
    return [];
  }
  const { beyond, missed } = sandbox;
  return [
    ...told(beyond, printable(reading?.tool ?? ''), {
      served: 'WARNING: {0} read in a folder that its sandbox does not show.',
      refused: '{0} could not read in a folder that its sandbox does not show.',
    }),
    ...missedDetails(missed),
  ];
}

/** What a server in a sandbox asked for in vain. */
export function missedDetails(missed: readonly string[]): Sentence[] {
  return missed.length > 0
    ? missed.map(path => sentence('It asked in vain for {0}.', printable(path)))
    : [sentence('It asked for nothing in vain, as far as its errors tell.')];
}

/** Whether a server worked in a sandbox as it does without, and what was seen in one of them only. */
export function comparisonOf(sandboxed: RootsFindings, without: RootsFindings): Sentence[] {
  const inside = detailsOf({ ...sandboxed, sandbox: undefined });
  const outside = detailsOf(without);
  const onlyInside = missingIn(outside, inside);
  const onlyOutside = missingIn(inside, outside);
  if (onlyInside.length + onlyOutside.length > 0) {
    return [
      sentence('In the sandbox it did not work as it does without.'),
      ...(onlyInside.length > 0 ? [sentence('Only in the sandbox:'), ...onlyInside] : []),
      ...(onlyOutside.length > 0 ? [sentence('Only without it:'), ...onlyOutside] : []),
    ];
  }
  return [
    sandboxed.called.length > 0
      ? sentence('In the sandbox it worked as it does without.')
      : sentence(
          'In the sandbox it started as it does without. No tool was called, so whether it works there is not known.',
        ),
  ];
}

function missingIn(some: readonly Sentence[], others: readonly Sentence[]): Sentence[] {
  const known = new Set(some.map(inEnglish));
  return others.filter(one => !known.has(inEnglish(one)));
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

/**
 * What is different when the server is used: a check offers its roots to every server, a definition
 * may not. Nothing where both do.
 */
export function realUseOf(label: string, rootsAs: readonly RootsRoute[]): Sentence[] {
  if (rootsAs.includes('roots')) {
    return [];
  }
  return [
    sentence(
      'This check offered roots. In real use {0} is not offered any: "rootsAs" in its definition leaves "roots" out.',
      label,
    ),
    sentence(insteadOf(rootsAs)),
  ];
}

function insteadOf(rootsAs: readonly RootsRoute[]): string {
  const isAsArguments = rootsAs.includes('args');
  if (isAsArguments && rootsAs.includes('env')) {
    return 'It gets its folders as arguments and in its environment instead.';
  }
  return isAsArguments
    ? 'It gets its folders as arguments instead.'
    : 'It gets its folders in its environment instead.';
}
