import * as vscode from 'vscode';
import type {
  ImportCandidate,
  ImportPlan,
  SourceNote,
} from '../../../domain/import/importedServers.ts';
import type { ServerEntry } from '../../../domain/import/serverEntry.ts';
import { printable } from '../../../domain/printable.ts';
import { commandLine } from '../../../domain/servers/launch.ts';
import { localized } from '../../text.ts';

/** A line of the preview; without a candidate it only says something about a file. */
export interface PreviewItem extends vscode.QuickPickItem {
  readonly candidate?: ImportCandidate;
}

/** The lines of the preview: each server under the file it is in, and what is to be said of the files. */
export function previewItems({ candidates, notes }: ImportPlan): PreviewItem[] {
  const labels = [...candidates, ...notes].map(({ source }) => source.label);
  return [...new Set(labels)].flatMap(label => [
    { label, kind: vscode.QuickPickItemKind.Separator },
    ...candidates.filter(({ source }) => source.label === label).map(serverItem),
    ...notes.filter(({ source }) => source.label === label).map(noteItem),
  ]);
}

/** A server that can be taken over. */
export type Takeable = ImportCandidate & { readonly entry: ServerEntry };

/** Whether a server can be taken over at all. */
export function isTakeable(candidate: ImportCandidate): candidate is Takeable {
  const { standing, entry } = candidate;
  return entry !== undefined && (standing === 'ready' || standing === 'doubtful');
}

function serverItem(candidate: ImportCandidate): PreviewItem {
  const { name, entry, doubts, notes, standing } = candidate;
  const tooltip = vscode.l10n.t('Show What Will Be Written');
  return {
    label: `${icons[standing]}${printable(name)}`,
    // The command line is the longest and the best known, and what does not fit is cut off.
    detail: [
      ...renamed(candidate),
      ...[...doubts, ...notes].map(localized),
      ...(entry ? [shownLaunch(entry)] : []),
    ].join(' · '),
    picked: standing === 'ready',
    buttons: [{ iconPath: new vscode.ThemeIcon('eye'), tooltip }],
    candidate,
  };
}

const icons: Readonly<Record<ImportCandidate['standing'], string>> = {
  ready: '',
  doubtful: '$(warning) ',
  present: '$(check) ',
  impossible: '$(circle-slash) ',
};

function renamed({ name, originalName, standing }: ImportCandidate): string[] {
  if (standing === 'present') {
    return [vscode.l10n.t('It is there already.')];
  }
  return name === originalName
    ? []
    : [vscode.l10n.t('Another server is called "{0}" already.', printable(originalName))];
}

function shownLaunch({ type, command = '', args = [], url = '' }: ServerEntry): string {
  const none = { cwd: undefined, env: {}, envFile: undefined };
  return commandLine(
    type === 'stdio' ? { type, command, args, ...none } : { type: 'http', url, headers: {} },
  );
}

function noteItem({ note }: SourceNote): PreviewItem {
  return { label: `$(info) ${localized(note)}` };
}
