import * as vscode from 'vscode';
import { inMarkdown, markdownSentence } from '../../domain/printable.ts';
import { detailsOf, realUseOf, verdictOf } from '../../domain/rootsCheck/findingSentences.ts';
import type { RootsFindings } from '../../domain/rootsCheck/rootsFindings.ts';
import type { Sentence } from '../../domain/sentence.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import { localized } from '../text.ts';

/** The findings of a check of a server's roots support, as Markdown in the user's language. */
export function rootsReport({ label, rootsAs }: ServerDefinition, findings: RootsFindings): string {
  const texts = (sentences: readonly Sentence[]) =>
    sentences.map(one => localized(markdownSentence(one)));
  const paragraphs = [
    `# ${vscode.l10n.t('Roots Support of {0}', inMarkdown(label))}`,
    texts(verdictOf(label, findings)).join(' '),
    texts(realUseOf(label, rootsAs)).join(' '),
    `## ${vscode.l10n.t('What Was Seen')}`,
    texts(detailsOf(findings))
      .map(detail => `- ${detail}`)
      .join('\n'),
  ];
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`;
}
