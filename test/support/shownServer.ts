import type { Access, FolderAccess } from '../../src/domain/consent/folderAccess.ts';
import type { Exposure } from '../../src/domain/exposure.ts';
import type { Folder } from '../../src/domain/folders/folders.ts';
import { defaultTerms, userServer } from '../../src/domain/servers/serverDefinition.ts';
import { clientQuestions } from '../../src/extension/consent/clientQuestion.ts';
import { folderQuestions } from '../../src/extension/consent/folderQuestions.ts';
import { OpenQuestions } from '../../src/extension/consent/openQuestions.ts';
import type { AskingClient } from '../../src/extension/gateway/clientConsent.ts';
import type { ClientSession } from '../../src/extension/gateway/clientSession.ts';
import type { ClientOfServer } from '../../src/extension/gateway/clients.ts';
import type { Server } from '../../src/extension/servers/server.ts';
import type { ProcessStart } from '../../src/mcp/process/stdio/serverProcess.ts';
import { stdioLaunch } from './launches.ts';

/** A server as the view shows it: stopped and without folders, with the given changes. */
export function shownServer(facts: Partial<Server> = {}): Server {
  const shown: Partial<Server> = {
    definition: {
      ...userServer('files', stdioLaunch({ args: ['--fast'] }), defaultTerms),
      from: 'user',
    },
    state: { kind: 'stopped' },
    isLive: facts.state?.kind === 'running',
    access: accessOf(),
    lastExposure: undefined,
    plan: { kind: 'none' },
    isNeglecting: false,
    isStoppedForLackOfRoots: false,
    isIdle: false,
    formerRoots: [],
    lastStart: undefined,
    isOffered: false,
    hiddenTools: new Set(),
    callsOf: () => undefined,
    isLaunchAllowed: false,
    failsAhead: async () => false,
    missedPath: undefined,
    sandboxLack: undefined,
    deaths: { wasReached: false } as Server['deaths'],
    listTools: () => Promise.reject(new Error('Nobody may ask.')),
    ...facts,
  };
  return shown as Server;
}

/** That its process did this. */
export function recorded(facts: Partial<Server['record']>): Pick<Server, 'record'> {
  const none = { exposureCount: 0, isSilent: false, tools: undefined, takeWords: () => [] };
  return { record: { ...none, ...facts } as Server['record'] };
}

/** The sandbox of a server, which sees more than its folder. */
export const sandbox = {
  tool: 'bubblewrap 0.8.0',
  cwd: '/proj/api',
  roots: [],
  alsoSees: [
    { path: '/opt/node', isWritable: false },
    { path: '/opt/my files', isWritable: false },
    { path: '/var/cache/files', isWritable: true },
  ],
  hasNetwork: false,
};

/** A last start as a process with these fields. */
export function started(facts: Partial<ProcessStart>): Pick<Server, 'lastStart'> {
  return { lastStart: { command: 'files', args: ['--fast'], cwd: '/proj/api', env: {}, ...facts } };
}

type ClientFacts = Partial<Omit<ClientOfServer, 'session'>> & {
  readonly session?: Partial<ClientSession>;
};

/** A client in `/proj/api` without an answer, with the given changes. */
export function shownClient({ session, ...facts }: ClientFacts = {}): ClientOfServer {
  const { name = 'codex' } = facts;
  const running = {
    client: { name, version: '0.62' },
    state: 'running',
    hasProcess: true,
    cwd: '/proj/api',
    since: Date.now(),
    isWaiting: false,
    useCount: 0,
    isNeglecting: false,
    leftOutRoots: [],
    listedTools: [],
    lastExposure: undefined,
    ...session,
  } as ClientSession;
  return {
    ...{
      server: shownServer(),
      name,
      isAllowed: undefined,
      hiddenTools: new Set(),
      session: running,
    },
    ...facts,
  };
}

/** What waits for an answer of a server with these clients, where nothing but folders and clients do. */
export function questionsWith(...clients: readonly ClientOfServer[]): OpenQuestions {
  const noDialog = { ask: async () => undefined };
  const servers = { all: [], onDidChange: () => ({ dispose() {} }) };
  const waiting = clients.flatMap(({ name, session }) =>
    session?.isWaiting ? [{ name, servers: () => [] } as unknown as AskingClient] : [],
  );
  return new OpenQuestions(servers, [
    folderQuestions(servers, { askNow: async () => {} }),
    clientQuestions({ ...servers, waitingFor: () => waiting }, noDialog),
  ]);
}

/** The state of a server of the older revisions that runs. */
export const running = {
  kind: 'running',
  era: 'legacy',
  protocolVersion: '2025-11-25',
  pid: 4711,
} as const;

/** A request for roots at this moment, answered with one root. */
export function exposure(): Exposure {
  const roots = [{ uri: 'file:///proj/api', name: 'api' }];
  const server = { serverId: 'setting:files', serverLabel: 'files' };
  return { at: Date.now(), ...server, trigger: { kind: 'roots/list' }, count: 2, roots };
}

/** A folder at `/proj/<name>`. */
export function folder(name: string, more: Partial<Folder> = {}): Folder {
  const path = `/proj/${name}`;
  const found = { disk: 'directory', realPath: path, place: undefined } as const;
  return { uri: `file://${path}`, name, path, origin: 'workspace', ...found, ...more };
}

/** The access of a server that sees these folders, and of the others why not. */
export function accessOf(...folders: readonly FolderAccess[]): Access {
  return {
    folders,
    roots: folders.flatMap(({ root }) => root ?? []),
    waiting: folders.flatMap(({ folder, exclusion }) =>
      exclusion === 'undecided' ? [folder] : [],
    ),
    isRefused: false,
    isRestricted: folders.some(({ exclusion }) => exclusion === 'restricted'),
    needsFolder: false,
  };
}

/** How a folder stands that the server may see. */
export function allowed(of: Folder, notes: FolderAccess['notes'] = []): FolderAccess {
  return { folder: of, root: { uri: of.uri, name: of.name }, notes };
}

/** How a folder stands that it may not see. */
export function exclusion(
  of: Folder,
  reason: NonNullable<FolderAccess['exclusion']>,
  notes: FolderAccess['notes'] = [],
): FolderAccess {
  return { folder: of, exclusion: reason, notes };
}
