import type { Exposure } from '../../domain/exposure.ts';
import { clientNames, editorName } from '../../domain/gateway/clientNames.ts';
import { whyUnpublished } from '../../domain/gateway/usable.ts';
import { printable, printableWords } from '../../domain/printable.ts';
import { commandLine, mayDownload } from '../../domain/servers/launch.ts';
import type { RootsRoute, ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import { stderrOf } from '../../domain/servers/serverFailure.ts';
import { serverStatus } from '../../domain/servers/serverStatus.ts';
import { isOnThisMachine } from '../../domain/servers/serverUrl.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import type { OpenQuestion, OpenQuestions } from '../consent/openQuestions.ts';
import { folderLines, formerText } from '../folderText.ts';
import { cursorMcp } from '../gateway/agents/cursor.ts';
import type { ClientOfServer, Clients } from '../gateway/clients.ts';
import { bundledServerId } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';
import {
  configurationText,
  fromHome,
  isShownOnly,
  localized,
  noSandboxText,
  rootsText,
  secondsText,
  stateText,
  t,
  timeText,
  triggerText,
} from '../text.ts';
import * as vscode from '../vscode.ts';
import { clientDetails, clientLabel } from './clientItem.ts';
import type { ViewRow } from './rows.ts';

/**
 * The tooltip of a row, which is written only when a person points at it. `undefined`: the row has brought
 * its own.
 */
export function rowDetails(
  row: ViewRow,
  clients: Pick<Clients, 'of'>,
  questions: Pick<OpenQuestions, 'of'>,
  servers: readonly Server[],
): Shown | undefined {
  switch (row.kind) {
    case 'server': {
      const { server } = row;
      return lines(serverDetails(server, clients.of(server), questions.of(server), servers));
    }
    case 'folder':
      return lines(folderLines(row.access, row.server));
    case 'folders':
      return lines(
        row.folders.map(({ access: { folder } }) => printable(folder.path ?? folder.uri)),
      );
    case 'client':
      return lines(clientDetails(row.client));
    case 'former-root':
      return lines([printable(row.root.uri), formerText(row.root.uri, row.server)]);
    default:
      return undefined;
  }
}

function lines(texts: readonly string[]): Shown {
  return shown(texts.join('\n'));
}

/**
 * All that is to be known of a server, a line each: its tooltip. Printable as it is.
 *
 * @param servers all of the window, by whose names the editor tells it from the others.
 */
export function serverDetails(
  server: Server,
  clients: readonly ClientOfServer[],
  questions: readonly OpenQuestion[],
  servers: readonly Server[],
): string[] {
  const { definition, state } = server;
  const lines = [
    `${definition.label}: ${stateText(state)}`,
    ...statusDetails(server),
    ...questions.map(({ detail }) => detail),
    ...missing(server),
    placeText(server),
    ...(state.kind === 'running' && state.pid !== undefined ? [t('Process {0}', state.pid)] : []),
    ...proxyTexts(server),
    ...keepingDetails(server),
    ...askingDetails(server),
    ...endingTexts(server),
    ...(server.isOffered ? [offerText(server, servers)] : []),
    ...usedBy(clients),
    originText(definition),
    ...(server.state.kind === 'failed' ? stderrOf(server.state.failure) : []),
  ];
  return lines.map(printable);
}

function originText({ from, isOfMachine }: ServerDefinition): string {
  if (isOfMachine) {
    return t('Defined in the settings of the remote machine, in mcpRoots.servers');
  }
  switch (from) {
    case 'user':
      return t('Defined in your user settings, in mcpRoots.servers');
    case 'workspace':
      return t('Defined in the settings of this workspace, in mcpRoots.servers');
    case undefined:
      return t('Comes with the extension MCP Roots');
  }
}

/** Whether agents can use it, and by what name. In Cursor that is another one, which tells nobody anything. */
function offerText(server: Server, servers: readonly Server[]): string {
  const { label, id } = server.definition;
  const problem = whyUnpublished(server);
  if (problem) {
    return t("Offered to agents, who can't use it now: {0}", localized(problem));
  }
  const named = clientNames(servers).find(({ server }) => server.definition.id === id);
  return cursorMcp(vscode)
    ? t('Offered to agents')
    : t('Offered to agents as "{0}"', editorName(named?.name ?? label));
}

function statusDetails(server: Server): string[] {
  const status = serverStatus(server);
  switch (status.kind) {
    case 'starved':
      return [t('No folder is left that it may see')];
    case 'neglecting':
      return [t('It has not asked again since its folders changed: a restart brings it that')];
    case 'waiting': {
      const [time, { deaths }] = [secondsText(status.at), status];
      // What runs elsewhere was not started here, and nobody knows whether it died.
      return server.definition.launch.type === 'http'
        ? [t('Tried again at {0} (failed tries: {1})', time, deaths)]
        : [t('Starts again at {0} (deaths: {1})', time, deaths)];
    }
    case 'given-up':
      // A server that never came up did not die.
      return server.deaths.wasReached
        ? [t('It died {0} times: start it by hand', status.deaths)]
        : [t('It did not start in {0} tries: start it by hand', status.deaths)];
    case 'plain': {
      const { state, definition } = server;
      const mayTake = state.kind === 'starting' && mayDownload(definition.launch);
      return mayTake ? [t('It may be downloading what it runs')] : [];
    }
  }
}

function missing({ missedPath, lacksBrowser }: Server): string[] {
  return [
    ...(lacksBrowser ? [t("It can't start a browser in its sandbox")] : []),
    ...(missedPath === undefined
      ? []
      : [t('It asked for {0}, which it does not see', fromHome(missedPath))]),
  ];
}

function usedBy(clients: readonly ClientOfServer[]): string[] {
  const present = clients.filter(({ session }) => session);
  return present.length === 0 ? [] : [t('Used by {0}', present.map(clientLabel).join(', '))];
}

function placeText({ definition: { launch } }: Server): string {
  return launch.type === 'http'
    ? t('HTTP: {0}', commandLine(launch))
    : t('Process over stdio: {0}', commandLine(launch));
}

/** The proxies that the server was not given; none for the bundled one, which uses no network. */
function proxyTexts({ definition, lastStart }: Server): readonly string[] {
  const names = lastStart?.withheldProxies?.join(', ') ?? '';
  return names === '' || definition.id === bundledServerId
    ? []
    : [t('A proxy with a password is not passed on: name {0} in its env', names)];
}

/** Whether something keeps it in its folders, and what else it sees, a line each. */
function keepingDetails({ definition, isLive, lastStart }: Server): string[] {
  const { launch } = definition;
  const { sandbox, noSandbox } = lastStart ?? {};
  if (launch.type === 'http') {
    return isOnThisMachine(launch.url)
      ? [t('It was not started here: nothing keeps it in its folders')]
      : [t('It runs elsewhere: the system here keeps nothing from it')];
  }
  if (!isLive || !sandbox) {
    return isLive && noSandbox ? [noSandboxText(noSandbox)] : [];
  }
  const { tool, hasNetwork, hasUnixSockets, tooLarge = [], alsoSees } = sandbox;
  const listed = (paths: readonly string[]) =>
    paths.map(path => printableWords([fromHome(path)])).join(', ');
  const pathsOf = (isWritable: boolean) =>
    listed(alsoSees.filter(one => one.isWritable === isWritable).map(({ path }) => path));
  const [read, changed] = [pathsOf(false), pathsOf(true)];
  return [
    t('Confined: kept in its folders by the system, with {0}', tool),
    ...(tooLarge.length > 0 ? [t(onlyRead, listed(tooLarge))] : []),
    hasNetwork ? t('The network is open to it') : t('It has no network'),
    ...(hasUnixSockets ? [t('It can use unix sockets in its folders')] : []),
    ...(read ? [t('It can also read: {0}', read)] : []),
    ...(changed ? [t('It can also change: {0}', changed)] : []),
  ];
}

const onlyRead =
  'It can only read {0}: too large to find all that other programs run there, such as .git or .vscode. To let it change files, share a smaller folder.';

/** The way in which it gets its roots, and when it last did, a line each. */
function askingDetails(server: Server): string[] {
  const { definition, lastExposure, state } = server;
  const isModern = state.kind === 'running' && state.era === 'modern';
  const routes = definition.rootsAs.map(route => routeText(route, isModern));
  const isRunning = state.kind === 'running';
  return [
    t('Roots: {0}', routes.join('; ')),
    ...(isRunning && definition.rootsAs.includes('roots') ? [askedText(server, isModern)] : []),
    ...(isRunning && lastExposure ? [exposureText(lastExposure)] : []),
  ];
}

function exposureText(exposure: Exposure): string {
  const time = timeText(exposure.at);
  return isShownOnly(exposure)
    ? t('Shown to it by its sandbox since {0}: {1}', time, rootsText(exposure))
    : t('Last told of its roots at {0}: {1}', time, triggerText(exposure));
}

function askedText({ access, record }: Server, isModern: boolean): string {
  const { exposureCount = 0, isSilent = false } = record ?? {};
  if (exposureCount > 0) {
    return t('Asked for its roots: {0} ×', exposureCount);
  }
  if (access.isRefused) {
    return t('It is not offered roots, since it may see no folder');
  }
  // In the newer era it can ask only when it is called.
  return isSilent && !isModern
    ? t('It has never asked for its roots, though it had time to')
    : t('It has not asked for its roots yet');
}

function routeText(route: RootsRoute, isModern: boolean): string {
  if (route !== 'roots') {
    return t('given {0} when it starts', configurationText(route));
  }
  return isModern ? t('told when it asks within a call') : t('told when it asks');
}

function endingTexts({ state }: Server): readonly string[] {
  const { force, leftBehind = 0 } = (state.kind === 'stopped' && state.ending) || {};
  return [
    ...(force === 'terminate' ? [t('It had to be told to terminate')] : []),
    ...(force === 'kill' ? [t('It ended only when killed')] : []),
    ...(leftBehind > 0 ? [t('Processes it left behind, ended too: {0}', leftBehind)] : []),
  ];
}
