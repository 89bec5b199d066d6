import { homedir } from 'node:os';
import { sep } from 'node:path';
import type { ConfigurationRoute, Exposure, Trigger } from '../domain/exposure.ts';
import { printable } from '../domain/printable.ts';
import type { Sentence } from '../domain/sentence.ts';
import { type Failure, failureSentence } from '../domain/servers/serverFailure.ts';
import { serverWords } from '../domain/servers/serverStatus.ts';
import { type Shown, shown } from '../domain/shown.ts';
import type { ConnectionState } from '../mcp/link/link.ts';
import { l10n } from './vscode.ts';

/**
 * Our words in the user's language, with these values for the placeholders. Values may come from
 * outside, so they are made safe to show.
 */
export function t(template: string, ...values: readonly (string | number)[]): Shown {
  const texts = values.map(value => shown(String(value)));
  return l10n.t(template, ...texts) as Shown;
}

/** The sentence in the user's language. */
export function localized({ template, values }: Sentence): Shown {
  return t(
    template,
    ...values.map(value => (typeof value === 'string' ? value : localized(value))),
  );
}

/** The path with `~` for the user's home. A path outside the home stays unchanged. */
export function fromHome(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}

/** A connection's state in a few words. */
export function stateText(state: ConnectionState): Shown {
  if (state.kind === 'failed') {
    return failureText(state.failure);
  }
  const word = t(serverWords[state.kind].text);
  return state.kind === 'running' ? shown(`${word} · ${state.protocolVersion}`) : word;
}

/** Why a server does not run, with its last printed error. The text follows the server's name. */
export function failureText(failure: Failure): Shown {
  return localized(failureSentence(failure));
}

/** Why a server got roots, and how many times it asked, if more than once. */
export function triggerText({ trigger, count }: Pick<Exposure, 'trigger' | 'count'>): Shown {
  const text = reasonText(trigger);
  return count > 1 ? shown(`${text} ×${count}`) : text;
}

function reasonText(trigger: Trigger): Shown {
  switch (trigger.kind) {
    case 'roots/list':
      return shown(trigger.kind);
    case 'tools/call':
      return t('call of {0}', printable(trigger.tool));
    case 'launch':
      return isShownOnly({ trigger })
        ? t("mounted in the server's sandbox")
        : t('given at the start {0}', trigger.as.map(configurationText).join(', '));
  }
}

/** Whether the server got its roots only as folders in its sandbox. */
export function isShownOnly({ trigger }: Pick<Exposure, 'trigger'>): boolean {
  return trigger.kind === 'launch' && trigger.as.every(route => route === 'mount');
}

/** The words for a way by which roots reach a server without the protocol. */
export function configurationText(route: ConfigurationRoute): Shown {
  return t(configurationTexts[route]);
}

const configurationTexts: Readonly<Record<ConfigurationRoute, string>> = {
  args: 'as arguments',
  env: 'as environment',
  mount: "as the folders of the server's sandbox",
};

/** Why the system does not confine a server to its folders. */
export function noSandboxText(problem: Sentence): Shown {
  return t('Not confined: {0}', localized(problem));
}

/** A number of folders, in words for a sentence. */
export function folderCount(count: number): Shown {
  switch (count) {
    case 0:
      return t('no folder');
    case 1:
      return t('1 folder');
    default:
      return t('{0} folders', count);
  }
}

/** The names of the roots that a server got, or the words for no root. */
export function rootsText({ roots }: Exposure): string {
  return roots.length === 0 ? t('no folder') : roots.map(({ name }) => printable(name)).join(', ');
}

/** The text of a row for a screen reader, without the dots between its parts. */
export function spoken(text: string): Shown {
  return shown(text.replaceAll(' · ', ', '));
}

/** The time of day in minutes. The date is added if it is not today. */
export function timeText(at: number): string {
  const date = new Date(at);
  const time = { hour: 'numeric', minute: '2-digit' } as const;
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? date.toLocaleTimeString(undefined, time)
    : date.toLocaleString(undefined, { month: 'short', day: 'numeric', ...time });
}

/** The time of day in seconds. */
export function secondsText(at: number): string {
  return new Date(at).toLocaleTimeString();
}
