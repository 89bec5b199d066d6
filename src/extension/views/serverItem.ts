import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { Exposure } from '../../domain/exposure.ts';
import { printable, printableWords } from '../../domain/printable.ts';
import { isInstalled } from '../../domain/sandbox/installStep.ts';
import { commandLine, mayDownload } from '../../domain/servers/launch.ts';
import type { RootsRoute } from '../../domain/servers/serverDefinition.ts';
import { type Fault, faultsInOrder } from '../../domain/servers/serverFaults.ts';
import {
  type Asking,
  askingOf,
  type ServerStatus,
  serverStatus,
} from '../../domain/servers/serverStatus.ts';
import { isOnThisMachine } from '../../domain/servers/serverUrl.ts';
import { bundledServerId } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';
import {
  configurationText,
  fromHome,
  isShownOnly,
  noSandboxText,
  rootsText,
  secondsText,
  stateText,
  timeText,
  triggerText,
} from '../text.ts';

/**
 * How a server looks in the tree. Its `contextValue` is `server.` and its state, followed by
 * `.stale` when a restart brings it what it may see, `.waiting` when it is started again by itself,
 * and `.given-up` when it is not any more; then `.installed` when it was fetched for its sandbox, `.offered`
 * when agents are offered it, and at last `.missing` when it asked for what it does not see.
 */
export function serverItem(server: Server): vscode.TreeItem {
  const { definition, state, access } = server;
  const { label } = definition;
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  const text = rowText(server);
  const status = statusOf(server);
  item.id = definition.id;
  const missing = server.missedPath === undefined ? '' : '.missing';
  const installed = isInstalled(definition) ? '.installed' : '';
  const offered = server.isOffered ? '.offered' : '';
  item.contextValue = `server.${state.kind}${contextOf(status)}${installed}${offered}${missing}`;
  item.description = text;
  item.iconPath = icon(server, status);
  item.tooltip = serverDetails(server).join('\n');
  item.accessibilityInformation = {
    label: vscode.l10n.t('Server {0}, {1}, may see {2} folders', label, text, access.roots.length),
  };
  return item;
}

/** What its sandbox keeps from a server that wants it. */
function missingTexts({ missedPath }: Server): string[] {
  return missedPath === undefined
    ? []
    : [l10n.t('asked for {0}, which it does not see', printable(fromHome(missedPath)))];
}

function contextOf({ kind }: ServerStatus): string {
  switch (kind) {
    case 'outdated':
    case 'neglecting':
      return '.stale';
    case 'waiting':
    case 'given-up':
      return `.${kind}`;
    default:
      return '';
  }
}

function icon({ state }: Server, { kind }: ServerStatus): vscode.ThemeIcon {
  switch (state.kind) {
    case 'running': {
      const isStale = kind === 'outdated' || kind === 'neglecting';
      const color = isStale ? 'charts.yellow' : 'charts.green';
      return new vscode.ThemeIcon('server-process', new vscode.ThemeColor(color));
    }
    case 'starting':
    case 'stopping':
      return new vscode.ThemeIcon('loading~spin');
    case 'failed':
      return kind === 'waiting'
        ? new vscode.ThemeIcon('watch', new vscode.ThemeColor('charts.yellow'))
        : new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'stopped':
      return new vscode.ThemeIcon('server-process');
  }
}

/** A server's status: the first part of its row. */
function statusOf(server: Server): ServerStatus {
  return serverStatus({
    isRunning: server.state.kind === 'running',
    plan: server.plan,
    isNeglecting: server.isNeglecting,
    needsRestart: server.needsRestart,
    isStoppedForLackOfRoots: server.isStoppedForLackOfRoots,
  });
}

/**
 * A server's row in one line: its status, the worst of its faults, whether it is kept in its folders,
 * and the way in which it comes by its roots.
 */
function rowText(server: Server): string {
  const [worst] = faultTexts(server);
  return [
    statusText(server, statusOf(server)),
    ...missingTexts(server),
    ...(worst === undefined ? [] : [worst]),
    ...(mayLackNetwork(server) ? proxyTexts(server) : []),
    ...keepingWords(server),
    ...askingWords(server),
    ...(server.isOffered ? [l10n.t('offered to agents')] : []),
  ].join(' · ');
}

function statusText({ state, definition }: Server, status: ServerStatus): string {
  switch (status.kind) {
    case 'starved':
      return l10n.t('stopped: no folder is left that it may see');
    case 'outdated':
      return l10n.t('running · folders changed: restart to apply');
    case 'neglecting':
      return l10n.t('running · has not asked again since its folders changed');
    case 'waiting': {
      const { at, deaths } = status;
      // A time, because remaining seconds would have to be drawn anew each second.
      const when = l10n.t('starts again at {0} (deaths: {1})', secondsText(at), deaths);
      return `${when} · ${stateText(state)}`;
    }
    case 'given-up':
      return `${l10n.t('given up after {0} deaths', status.deaths)} · ${stateText(state)}`;
    case 'plain':
      return state.kind === 'starting' && mayDownload(definition.launch)
        ? l10n.t('starting, it may be downloading…')
        : stateText(state);
  }
}

/** The tooltip of a server, a line for each piece. Printable as it is. */
function serverDetails(server: Server): string[] {
  const { definition, state } = server;
  const lines = [
    `${definition.label}: ${rowText(server)}`,
    placeText(server),
    ...(state.kind === 'running' && state.pid !== undefined
      ? [l10n.t('Process {0}', state.pid)]
      : []),
    ...faultTexts(server),
    ...(server.isLive ? proxyTexts(server) : []),
    ...keepingDetails(server),
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

/** Whether the server failed in a way that a missing network connection would explain. */
function mayLackNetwork({ state }: Server): boolean {
  const kind = state.kind === 'failed' ? state.failure.kind : undefined;
  return kind === 'ended' || kind === 'silent';
}

/** The proxies that the server was not given; none for the bundled one, which uses no network. */
function proxyTexts({ definition, withheldProxies }: Server): readonly string[] {
  const names = withheldProxies.join(', ');
  return names === '' || definition.id === bundledServerId
    ? []
    : [l10n.t('a proxy with a password is not passed on: name {0} in its env', names)];
}

/** Whether something keeps a running server in its folders, in few words; none where nothing does. */
function keepingWords({ definition: { launch }, state, sandbox }: Server): string[] {
  if (state.kind !== 'running') {
    return [];
  }
  if (launch.type === 'http') {
    const isHere = isOnThisMachine(launch.url);
    return [isHere ? l10n.t('not started here') : l10n.t('runs elsewhere')];
  }
  if (!sandbox) {
    return [];
  }
  return sandbox.isPreview
    ? [l10n.t('kept in its folders by the system (preview)')]
    : [l10n.t('kept in its folders by the system')];
}

/** The same in full sentences, with what else it sees, a line each. */
function keepingDetails({ definition, isLive, sandbox, noSandbox }: Server): string[] {
  const { launch } = definition;
  if (launch.type === 'http') {
    return isOnThisMachine(launch.url)
      ? [l10n.t('It was not started here: nothing keeps it in its folders')]
      : [l10n.t('It runs elsewhere: the system here keeps nothing from it')];
  }
  if (!isLive || !sandbox) {
    return isLive && noSandbox ? [noSandboxText(noSandbox)] : [];
  }
  const { tool, hasNetwork, alsoSees } = sandbox;
  const pathsOf = (isWritable: boolean) =>
    alsoSees
      .filter(one => one.isWritable === isWritable)
      .map(({ path }) => printableWords([fromHome(path)]))
      .join(', ');
  const [read, changed] = [pathsOf(false), pathsOf(true)];
  return [
    l10n.t('Kept in its folders by the system, with {0}', tool),
    hasNetwork ? l10n.t('The network is open to it') : l10n.t('It has no network'),
    ...(read ? [l10n.t('It can also read: {0}', read)] : []),
    ...(changed ? [l10n.t('It can also change: {0}', changed)] : []),
  ];
}

function lastWords({ state }: Server): readonly string[] {
  return state.kind === 'failed' && state.failure.kind === 'ended' ? state.failure.end.stderr : [];
}

/** How a running server comes by its roots, in few words; none for one that needs no mention. */
function askingWords(server: Server): string[] {
  const asking = askingOfServer(server);
  const given = configurationTexts(server);
  const words = asking ? [...askedWords(asking, given)] : [];
  const isSaid = asking?.kind === 'given' || given === '';
  return isSaid ? words : [...words, l10n.t('roots {0}', given)];
}

/** The same in full sentences, a line each. */
function askingDetails(server: Server): string[] {
  const { definition, lastExposure } = server;
  const asking = askingOfServer(server);
  return [
    l10n.t('Roots: {0}', definition.rootsAs.map(routeText).join('; ')),
    ...(asking ? askedSentences(asking, server) : []),
    ...(asking && lastExposure ? [exposureText(lastExposure)] : []),
  ];
}

function exposureText(exposure: Exposure): string {
  const time = timeText(exposure.at);
  return isShownOnly(exposure)
    ? l10n.t('Shown to it by its sandbox since {0}: {1}', time, rootsText(exposure))
    : l10n.t('Last told of its roots at {0}: {1}', time, triggerText(exposure));
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

/** The faults of a server in a few words each, the worst first. */
function faultTexts({ faults, state }: Server): readonly string[] {
  const ending = state.kind === 'stopped' ? state.ending : undefined;
  return faultsInOrder(faults, ending).map(faultText);
}

function faultText(fault: Fault): string {
  switch (fault.kind) {
    case 'overdue-call':
      return l10n.t(
        'no answer to call of {0} since {1}',
        printable(fault.call.tool),
        secondsText(fault.call.since),
      );
    case 'terminated':
      return l10n.t('had to be told to terminate');
    case 'killed':
      return l10n.t('ended only when killed');
    case 'left-behind':
      return l10n.t('processes it left behind, ended too: {0}', fault.count);
    case 'request-flood':
      return l10n.t('floods with requests for roots');
    case 'notification-flood':
      return l10n.t('floods with notifications');
    case 'message-flood':
      return l10n.t('floods with log messages: {0} left out', fault.count);
    case 'long-line':
      return l10n.t('a line of {0} MB was skipped', fault.megabytes);
    case 'rubbish':
      return l10n.t('lines that are no MCP: {0}', fault.count);
    case 'strays':
      return l10n.t('answers nobody asked for: {0}', fault.count);
  }
}
