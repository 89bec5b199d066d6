import { l10n } from 'vscode';
import { printable } from '../../domain/printable.ts';
import { commandLine, mayDownload } from '../../domain/servers/launch.ts';
import { type ServerStanding, serverStanding } from '../../domain/servers/serverStanding.ts';
import { bundledServerId } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';
import { secondsText, stateText } from '../text.ts';
import { askingDetails, askingWords } from './askingText.ts';
import { faultTexts } from './faultText.ts';

/** How a server stands: what its row shows first. */
export function standingOf(server: Server): ServerStanding {
  return serverStanding({
    isRunning: server.state.kind === 'running',
    plan: server.plan,
    isNeglecting: server.isNeglecting,
    needsRestart: server.needsRestart,
    isStoppedForLackOfRoots: server.isStoppedForLackOfRoots,
  });
}

/**
 * A server's row in one line: how it stands, the worst of what is wrong with it, and how it comes by
 * its roots.
 */
export function statusText(server: Server): string {
  const [worst] = faultTexts(server);
  return [
    standingText(server, standingOf(server)),
    ...(worst === undefined ? [] : [worst]),
    ...(mayLackNetwork(server) ? proxyTexts(server) : []),
    ...askingWords(server),
  ].join(' · ');
}

function standingText({ state, definition }: Server, standing: ServerStanding): string {
  switch (standing.kind) {
    case 'starved':
      return l10n.t('stopped: no folder is left that it may see');
    case 'outdated':
      return l10n.t('running · folders changed: restart to apply');
    case 'neglecting':
      return l10n.t('running · has not asked again since its folders changed');
    case 'waiting': {
      const { at, deaths } = standing;
      // A time does not have to be drawn anew each second, as seconds that are left would.
      const when = l10n.t('starts again at {0} (deaths: {1})', secondsText(at), deaths);
      return `${when} · ${stateText(state)}`;
    }
    case 'given-up':
      return `${l10n.t('given up after {0} deaths', standing.deaths)} · ${stateText(state)}`;
    case 'plain':
      return state.kind === 'starting' && mayDownload(definition.launch)
        ? l10n.t('starting, it may be downloading…')
        : stateText(state);
  }
}

/** All there is to say on a server, a line each. Printable as it is. */
export function serverDetails(server: Server): string[] {
  const { definition, state } = server;
  const lines = [
    `${definition.label}: ${statusText(server)}`,
    placeText(server),
    ...(state.kind === 'running' && state.pid !== undefined
      ? [l10n.t('Process {0}', state.pid)]
      : []),
    ...faultTexts(server),
    ...(server.isLive ? proxyTexts(server) : []),
    ...askingDetails(server),
    definition.id === bundledServerId
      ? l10n.t('Comes with the extension MCP Roots')
      : l10n.t('Defined in the setting mcpRoots.servers'),
    ...lastWords(server),
  ];
  return lines.map(printable);
}

function placeText({ definition: { launch } }: Server): string {
  return launch.type === 'http'
    ? l10n.t('HTTP: {0}', commandLine(launch))
    : l10n.t('Process over stdio: {0}', commandLine(launch));
}

/** Whether it failed as it does when what it needs of the network is not there. */
function mayLackNetwork({ state }: Server): boolean {
  const kind = state.kind === 'failed' ? state.failure.kind : undefined;
  return kind === 'ended' || kind === 'silent';
}

/** What it was not given of the network; nothing for the bundled server, which does not use any. */
function proxyTexts({ definition, withheldProxies }: Server): readonly string[] {
  const names = withheldProxies.join(', ');
  return names === '' || definition.id === bundledServerId
    ? []
    : [l10n.t('a proxy with a password is not passed on: name {0} in its env', names)];
}

function lastWords({ state }: Server): readonly string[] {
  return state.kind === 'failed' && state.failure.kind === 'ended' ? state.failure.end.stderr : [];
}
