import { l10n } from 'vscode';
import { printable } from '../../domain/printable.ts';
import { commandLine } from '../../domain/servers/launch.ts';
import type { RootsRoute } from '../../domain/servers/serverDefinition.ts';
import { type ServerStanding, serverStanding } from '../../domain/servers/serverStanding.ts';
import { bundledServerId } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';
import { configurationText, secondsText, stateText, timeText, triggerText } from '../text.ts';

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

/** A server's row in one line: how it stands, how roots travel where that is not as usual, and its rubbish. */
export function statusText(server: Server): string {
  const { rubbishLines, strayAnswers, definition } = server;
  const routes = definition.rootsAs.flatMap(route => (route === 'roots' ? [] : [route]));
  return [
    standingText(server, standingOf(server)),
    ...(routes.length > 0 ? [l10n.t('roots {0}', routes.map(configurationText).join(', '))] : []),
    ...(rubbishLines > 0 ? [l10n.t('lines that are no MCP: {0}', rubbishLines)] : []),
    ...(strayAnswers > 0 ? [l10n.t('answers nobody asked for: {0}', strayAnswers)] : []),
  ].join(' · ');
}

function standingText({ state }: Server, standing: ServerStanding): string {
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
      return stateText(state);
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
    l10n.t('Roots: {0}', definition.rootsAs.map(routeText).join('; ')),
    ...(state.kind === 'running' ? askingText(server) : []),
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

function routeText(route: RootsRoute): string {
  return route === 'roots'
    ? l10n.t('told when it asks, as MCP has it')
    : l10n.t('given {0} when it starts', configurationText(route));
}

function askingText({ definition, state, access, exposureCount, lastExposure }: Server): string[] {
  const told = lastExposure
    ? [
        l10n.t(
          'Last told of its roots at {0}: {1}',
          timeText(lastExposure.at),
          triggerText(lastExposure),
        ),
      ]
    : [];
  if (!definition.rootsAs.includes('roots')) {
    return [l10n.t('It is not offered roots, only given them as configuration'), ...told];
  }
  if (access.isRefused) {
    return [l10n.t('It is not offered roots, since it may see no folder')];
  }
  const isModern = state.kind === 'running' && state.era === 'modern';
  return [
    isModern
      ? l10n.t('It asks for its roots within calls')
      : l10n.t('It asks for its roots itself'),
    exposureCount === 0
      ? l10n.t('It has never asked for its roots')
      : l10n.t('Asked for its roots: {0} ×', exposureCount),
    ...told,
  ];
}

function lastWords({ state }: Server): readonly string[] {
  return state.kind === 'failed' && state.failure.kind === 'ended' ? state.failure.end.stderr : [];
}
