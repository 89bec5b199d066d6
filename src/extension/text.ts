import { l10n } from 'vscode';
import type { FolderAccess } from '../domain/access.ts';
import type { Exposure } from '../domain/exposure.ts';
import { printable } from '../domain/printable.ts';
import type { Sentence } from '../domain/sentence.ts';
import type { ConnectionState } from '../mcp/connection.ts';
import type { Failure } from '../mcp/session.ts';

/** The sentence in the user's language. */
export function localized({ template, values }: Sentence): string {
  return l10n.t(template, ...values);
}

/** A connection's state in a few words. */
export function stateText(state: ConnectionState): string {
  switch (state.kind) {
    case 'stopped':
      return l10n.t('stopped');
    case 'starting':
      return l10n.t('starting…');
    case 'running':
      return l10n.t('running · {0}', state.protocolVersion);
    case 'stopping':
      return l10n.t('stopping…');
    case 'failed':
      return failureText(state.failure);
  }
}

/** Why a server does not run, with the last thing it said about it. */
export function failureText(failure: Failure): string {
  switch (failure.kind) {
    case 'not-started':
      return l10n.t('could not be started: {0}', failure.message);
    case 'silent':
      return l10n.t('did not answer within {0} seconds', failure.seconds);
    case 'protocol':
      return l10n.t('does not speak MCP as expected: {0}', failure.message);
    case 'ended': {
      const { code, signal, stderr } = failure.end;
      const how = signal
        ? l10n.t('ended by {0}', signal)
        : l10n.t('ended with exit code {0}', code ?? '?');
      const last = stderr.findLast(line => line.trim() !== '');
      return last ? `${how}: ${printable(last.trim())}` : how;
    }
  }
}

/** What a folder's standing depends on besides the folder: whether the server runs, and what it knows. */
export interface Situation {
  readonly isLive: boolean;
  readonly told: Exposure | undefined;
}

/** How one folder stands towards a server, in words a person understands at a glance. */
export function folderText(
  { folder, root, leftOut }: FolderAccess,
  { isLive, told }: Situation,
): string {
  const isKnown = told?.roots.some(({ uri }) => uri === folder.uri) ?? false;
  if (root) {
    if (!isLive) {
      return l10n.t('allowed');
    }
    return told && isKnown
      ? l10n.t('exposed · asked {0}', timeText(told.at))
      : l10n.t('allowed · not asked for yet');
  }
  switch (leftOut) {
    case 'undecided':
      return isLive ? l10n.t('waiting for your answer') : l10n.t('not asked yet');
    case 'denied':
      return told && isKnown && isLive
        ? l10n.t('not allowed · was told at {0}', timeText(told.at))
        : l10n.t('not allowed');
    case 'missing':
      return l10n.t('missing on disk');
    case 'not-a-directory':
      return l10n.t("can't be exposed: it is a file, not a folder");
    case 'unreadable':
      return l10n.t("can't be exposed: it can't be read");
    case 'not-file':
      return l10n.t("can't be exposed: it is not on disk");
    case 'restricted':
      return l10n.t("can't be exposed in Restricted Mode");
  }
}

/** Why a server was handed roots, and how many times it had asked when that was not once. */
export function triggerText({ trigger, count }: Exposure): string {
  const text =
    trigger.kind === 'tools/call' ? l10n.t('call of {0}', printable(trigger.tool)) : 'roots/list';
  return count > 1 ? `${text} ×${count}` : text;
}

/** The names of the roots a server was told of, or that there were none. */
export function rootsText({ roots }: Exposure): string {
  return roots.length === 0
    ? l10n.t('no folder')
    : roots.map(({ name }) => printable(name)).join(', ');
}

/** The time of day, to the minute; with the date when it was not today. */
export function timeText(at: number): string {
  const date = new Date(at);
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? date.toLocaleTimeString(undefined, time)
    : date.toLocaleString(undefined, { month: 'short', day: 'numeric', ...time });
}
