import { inMarkdown, markdownSentence } from '../../domain/printable.ts';
import {
  comparisonOf,
  detailsOf,
  missedDetails,
  realUseOf,
  verdictOf,
} from '../../domain/rootsCheck/findingSentences.ts';
import type { Sentence } from '../../domain/sentence.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import type { Shown } from '../../domain/shown.ts';
import type { Failure } from '../../mcp/failure.ts';
import type { RootsCheckOutcome } from '../../mcp/rootsCheck/rootsCheck.ts';
import { failureText, localized, t } from '../text.ts';

/** One start of a checked server, and what came of it. */
export interface Run {
  readonly isSandboxed: boolean;
  readonly outcome: Exclude<RootsCheckOutcome, { readonly kind: 'cancelled' }>;
}

/** What a check found, as Markdown in the user's language: the verdict, then a section for each run. */
export function rootsReport({ label, rootsAs }: ServerDefinition, runs: readonly Run[]): string {
  const [sandboxed, without] = runs.map(({ outcome }) =>
    outcome.kind === 'found' ? outcome.findings : undefined,
  );
  const paragraphs = [
    `# ${t('Roots Support of {0}', inMarkdown(label))}`,
    ...(sandboxed && without ? [inLine(comparisonOf(sandboxed, without))] : []),
    ...(runs.length === 1 ? runs.map(run => verdict(label, run)) : []),
    inLine(realUseOf(label, rootsAs)),
    ...runs.flatMap(run => [
      `## ${headingOf(run, runs.length)}`,
      ...(runs.length > 1 ? [verdict(label, run)] : []),
      details(run),
    ]),
  ];
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`;
}

function headingOf({ isSandboxed }: Run, count: number): string {
  if (isSandboxed) {
    return t('What Was Seen in the Sandbox');
  }
  return count > 1 ? t('What Was Seen Without the Sandbox') : t('What Was Seen');
}

function verdict(label: string, { outcome }: Run): string {
  return outcome.kind === 'found'
    ? inLine(verdictOf(label, outcome.findings))
    : inMarkdown(failureOf(label, outcome.failure));
}

function details(run: Run): string {
  return inMarkdownTexts(seenIn(run))
    .map(detail => `- ${detail}`)
    .join('\n');
}

function seenIn({ isSandboxed, outcome }: Run): readonly Sentence[] {
  if (outcome.kind === 'found') {
    return detailsOf(outcome.findings);
  }
  return isSandboxed ? missedDetails(outcome.missed) : [];
}

function inLine(sentences: readonly Sentence[]): string {
  return inMarkdownTexts(sentences).join(' ');
}

function inMarkdownTexts(sentences: readonly Sentence[]): string[] {
  return sentences.map(one => localized(markdownSentence(one)));
}

/** Why a server could not be checked. */
export function failureOf(label: string, failure: Failure): Shown {
  return t('"{0}" {1}', label, failureText(failure));
}
