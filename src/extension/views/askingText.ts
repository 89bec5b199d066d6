import { l10n } from 'vscode';
import { type Asking, askingOf } from '../../domain/servers/asking.ts';
import type { RootsRoute } from '../../domain/servers/serverDefinition.ts';
import type { Server } from '../servers/server.ts';
import { configurationText, timeText, triggerText } from '../text.ts';

/** How a running server comes by its roots, in few words; none when there is nothing to say of it. */
export function askingWords(server: Server): string[] {
  const asking = askingOfServer(server);
  const given = configurationTexts(server);
  const words = asking ? [...askedWords(asking, given)] : [];
  const isSaid = asking?.kind === 'given' || given === '';
  return isSaid ? words : [...words, l10n.t('roots {0}', given)];
}

/** The same in full sentences, a line each. */
export function askingDetails(server: Server): string[] {
  const { definition, lastExposure } = server;
  const asking = askingOfServer(server);
  return [
    l10n.t('Roots: {0}', definition.rootsAs.map(routeText).join('; ')),
    ...(asking ? askedSentences(asking, server) : []),
    ...(asking && lastExposure
      ? [
          l10n.t(
            'Last told of its roots at {0}: {1}',
            timeText(lastExposure.at),
            triggerText(lastExposure),
          ),
        ]
      : []),
  ];
}

function askingOfServer(server: Server): Asking | undefined {
  const { definition, state, access, exposureCount, lastExposure, isSilent } = server;
  if (state.kind !== 'running') {
    return undefined;
  }
  return askingOf({
    era: state.era,
    isTold: definition.rootsAs.includes('roots'),
    isRefused: access.isRefused,
    times: exposureCount,
    last: lastExposure?.at,
    isSilent,
  });
}

function askedWords(asking: Asking, given: string): readonly string[] {
  switch (asking.kind) {
    case 'asked':
      return [
        asking.era === 'modern'
          ? l10n.t('asked in calls {0}×, last {1}', asking.times, timeText(asking.last))
          : l10n.t('asked {0}×, last {1}', asking.times, timeText(asking.last)),
      ];
    case 'given':
      return [l10n.t('not offered roots: gets them {0}', given)];
    case 'refused':
      return [l10n.t('not offered roots')];
    case 'silent':
      return [l10n.t('never asked for roots')];
    case 'in-calls':
      return [l10n.t('asks in calls, has not yet')];
    case 'waiting':
      return [];
  }
}

function askedSentences(asking: Asking, { state }: Server): string[] {
  switch (asking.kind) {
    case 'given':
      return [l10n.t('It is not offered roots, only given them as configuration')];
    case 'refused':
      return [l10n.t('It is not offered roots, since it may see no folder')];
    default: {
      const isModern = state.kind === 'running' && state.era === 'modern';
      return [
        isModern
          ? l10n.t('It asks for its roots within calls')
          : l10n.t('It asks for its roots itself'),
        timesText(asking),
      ];
    }
  }
}

function timesText(asking: Asking): string {
  switch (asking.kind) {
    case 'asked':
      return l10n.t('Asked for its roots: {0} ×', asking.times);
    case 'silent':
      return l10n.t('It has never asked for its roots, though it had time to');
    default:
      return l10n.t('It has not asked for its roots yet');
  }
}

function configurationTexts({ definition }: Server): string {
  const routes = definition.rootsAs.flatMap(route => (route === 'roots' ? [] : [route]));
  return routes.map(configurationText).join(', ');
}

function routeText(route: RootsRoute): string {
  return route === 'roots'
    ? l10n.t('told when it asks, as MCP has it')
    : l10n.t('given {0} when it starts', configurationText(route));
}
