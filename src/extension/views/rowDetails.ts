import type { Exposure } from '../../domain/exposure.ts';
import { whyUnpublished } from '../../domain/gate/serverUsable.ts';
import { clientNames, editorName } from '../../domain/gateway/clientNames.ts';
import { printable, printableWords } from '../../domain/printable.ts';
import { lackWords } from '../../domain/sandbox/lacks.ts';
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
import type { ViewRow } from '../rows.ts';
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

/**
 * The tooltip of a row, made only when a person points at the row. `undefined`: the row already has
 * a tooltip.
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
 * The tooltip of a server: all that is known about it, in one printable line for each fact.
 *
 * @param servers all servers of the window, because the name for agents depends on all.
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
  return t(originTexts[isOfMachine ? 'machine' : (from ?? 'extension')]);
}

const originTexts = {
  machine: 'Defined in the settings of the remote machine, in mcpRoots.servers',
  user: 'Defined in your user settings, in mcpRoots.servers',
  workspace: 'Defined in the settings of this workspace, in mcpRoots.servers',
  extension: 'Comes with the extension MCP Roots',
};

/** Whether agents can use the server, and its name for them, but not its name in Cursor. */
function offerText(server: Server, servers: readonly Server[]): string {
  const problem = whyUnpublished(server);
  if (problem) {
    return t("Offered to agents, but agents can't use it now: {0}", localized(problem));
  }
  const { id } = server.definition;
  const named = clientNames(servers).find(({ server }) => server.definition.id === id);
  return cursorMcp(vscode) || !named
    ? t('Offered to agents')
    : t('Offered to agents as "{0}"', editorName(named.name));
}

function statusDetails(server: Server): string[] {
  const { definition, state, deaths } = server;
  const status = serverStatus(server);
  switch (status.kind) {
    case 'starved':
      return [t(statusTexts.starved)];
    case 'neglecting':
      return [t(statusTexts.neglecting)];
    case 'waiting': {
      // A remote server was not started by this window, and nobody knows if it died.
      const text =
        definition.launch.type === 'http' ? statusTexts.triesAgain : statusTexts.restarts;
      return [t(text, secondsText(status.at), status.deaths)];
    }
    case 'given-up':
      // A server that never came up did not die.
      return [t(deaths.wasReached ? statusTexts.died : statusTexts.failed, status.deaths)];
    case 'plain': {
      const mayTake = state.kind === 'starting' && mayDownload(definition.launch);
      return mayTake ? [t(statusTexts.downloads)] : [];
    }
  }
}

const statusTexts = {
  starved: 'The server may see no folder',
  neglecting:
    'The folders changed, but the server has not asked for them again. Restart the server to apply the change.',
  triesAgain: 'The server starts again at {0} (failed tries: {1})',
  restarts: 'The server starts again at {0} (deaths: {1})',
  died: 'The server died {0} times. Start it by hand',
  failed: 'The server did not start in {0} tries. Start it by hand',
  downloads: 'The server may be downloading its program',
};

function missing({ missedPath, sandboxLack }: Server): string[] {
  return [
    ...(sandboxLack ? [t(lackWords[sandboxLack])] : []),
    ...(missedPath === undefined
      ? []
      : [t('The server asked for {0}, which its sandbox hides', fromHome(missedPath))]),
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

/** The proxies that the server did not get. Empty for the bundled server: it uses no network. */
function proxyTexts({ definition, lastStart }: Server): readonly string[] {
  const names = lastStart?.withheldProxies?.join(', ') ?? '';
  return names === '' || definition.id === bundledServerId ? [] : [t(proxyText, names)];
}

const proxyText =
  'The server does not get {0}, because that proxy has a password. To pass the proxy on, name it in the server\'s "env".';

/** Whether the server is confined to its folders, and what else it can see, in lines. */
function keepingDetails({ definition, isLive, lastStart }: Server): string[] {
  const { launch } = definition;
  const { sandbox, noSandbox } = lastStart ?? {};
  if (launch.type === 'http') {
    return [t(unkeptTexts[isOnThisMachine(launch.url) ? 'here' : 'elsewhere'])];
  }
  if (!isLive || !sandbox) {
    return isLive && noSandbox ? [noSandboxText(noSandbox)] : [];
  }
  const { tool, seesNames, hasNetwork, hasUnixSockets, tooLarge = [], alsoSees } = sandbox;
  const listed = (paths: readonly string[]) =>
    paths.map(path => printableWords([fromHome(path)])).join(', ');
  const pathsOf = (isWritable: boolean) =>
    listed(alsoSees.filter(one => one.isWritable === isWritable).map(({ path }) => path));
  const [read, changed] = [pathsOf(false), pathsOf(true)];
  return [
    t('Confined: the system keeps the server in its folders, with {0}', tool),
    ...(seesNames ? [t(seenNames)] : []),
    ...(tooLarge.length > 0 ? [t(onlyRead, listed(tooLarge))] : []),
    hasNetwork ? t('The network is open') : t('No network'),
    ...(hasUnixSockets ? [t('The server uses unix sockets in its folders')] : []),
    ...(read ? [t('Also reads: {0}', read)] : []),
    ...(changed ? [t('Also changes: {0}', changed)] : []),
  ];
}

/** The texts for servers that are not confined, by the place where they run. */
const unkeptTexts = {
  here: 'Not confined: MCP Roots did not start the server',
  elsewhere: 'Not confined: the server runs on another machine',
};

const seenNames =
  'The server can learn the names of other files, but can not read them. Beside hidden files and files that other programs run (.git, .vscode), it can add, rename or remove nothing';

const onlyRead =
  'The server can only read {0}, because MCP Roots could not protect all files there that other programs run (.git, .vscode). To let the server change files, share a smaller folder.';

/** How the server gets its roots, and when it last got roots, in lines. */
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
    ? t("Mounted in the server's sandbox since {0}: {1}", time, rootsText(exposure))
    : t('Roots last shared at {0}: {1}', time, triggerText(exposure));
}

function askedText({ access, record }: Server, isModern: boolean): string {
  const { exposureCount = 0, isSilent = false } = record ?? {};
  if (exposureCount > 0) {
    return t('Times that the server asked for its roots: {0}', exposureCount);
  }
  // In revision 2026-07-28, a server can ask only during a call.
  const silence = isSilent && !isModern ? 'silent' : 'unasked';
  return t(unaskedTexts[access.isRefused ? 'refused' : silence]);
}

const unaskedTexts = {
  refused: 'No roots are offered, because the server may see no folder',
  silent: 'The server has not asked for its roots, although it had time',
  unasked: 'The server has not asked for its roots yet',
};

function routeText(route: RootsRoute, isModern: boolean): string {
  if (route !== 'roots') {
    return t('given {0} when the server starts', configurationText(route));
  }
  return isModern ? t('shared when the server asks in a call') : t('shared when the server asks');
}

function endingTexts({ state }: Server): readonly string[] {
  const { force, leftBehind = 0 } = (state.kind === 'stopped' && state.ending) || {};
  return [
    ...(force ? [t(forceTexts[force])] : []),
    ...(leftBehind > 0 ? [t('Ended leftover processes of the server: {0}', leftBehind)] : []),
  ];
}

const forceTexts = {
  terminate: 'The server ended only after a signal (SIGTERM)',
  kill: 'The server ended only when killed (SIGKILL)',
};
