import { printable } from '../printable.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { type RootsFindings, reachAfter } from './rootsFindings.ts';

/** What a person needs to know of it, in a line: how the server asks, and what follows from the rest. */
export function verdictOf(label: string, findings: RootsFindings): Sentence[] {
  return [asking(label, findings), ...consequences(findings)];
}

function asking(label: string, findings: RootsFindings): Sentence {
  const { era, firstAsked, asksAgain, called } = findings;
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
      return sentence(askingNever(era === 'modern', called.length > 0), label);
  }
}

function askingNever(isModern: boolean, wasCalled: boolean): string {
  if (!isModern) {
    return '{0} did not ask for its roots, so they do not decide what it can reach.';
  }
  return wasCalled
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
  if (findings.reading?.outside === 'served') {
    return [
      sentence('It reads folders that it was never told of, so its roots are no limit to it.'),
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
