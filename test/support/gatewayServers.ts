import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { Emitter } from '../../src/base/emitter.ts';
import { LineReader } from '../../src/base/lineReader.ts';
import { windowsFolder } from '../../src/connect/windowFiles.ts';
import type { Activity } from '../../src/domain/activity.ts';
import { type Access, accessTo, startRoots } from '../../src/domain/consent/folderAccess.ts';
import type { Decision } from '../../src/domain/consent/grants.ts';
import type { Exposure } from '../../src/domain/exposure.ts';
import { diskFolder, type Folder } from '../../src/domain/folders/folders.ts';
import { whyRefused } from '../../src/domain/gate/gate.ts';
import { inEnglish } from '../../src/domain/sentence.ts';
import type { ServerRule } from '../../src/domain/servers/editorRules.ts';
import type { Launch } from '../../src/domain/servers/launch.ts';
import { Deaths } from '../../src/domain/servers/restarts.ts';
import { defaultTerms, userServer } from '../../src/domain/servers/serverDefinition.ts';
import type { ClientSession } from '../../src/extension/gateway/clientSession.ts';
import { Clients, type ClientsHost } from '../../src/extension/gateway/clients.ts';
import { GatewaySocket } from '../../src/extension/gateway/gatewaySocket.ts';
import { Snapshots } from '../../src/extension/gateway/snapshots.ts';
import { WindowFile } from '../../src/extension/gateway/windowFile.ts';
import type { RecordScope, ToolChoice } from '../../src/extension/records/serverRecords.ts';
import type { Server } from '../../src/extension/servers/server.ts';
import type { Servers } from '../../src/extension/servers/servers.ts';
import type { ProcessRecord } from '../../src/mcp/life/processRecord.ts';
import { ProcessOwner } from '../../src/mcp/process/stdio/processOwner.ts';
import type { ProcessStart } from '../../src/mcp/process/stdio/serverProcess.ts';
import { allowing } from './access.ts';
import { helloLine } from './dial.ts';
import { connectorStart, type FakeHome, fakeHome } from './fakeGateway.ts';
import { LineProcess } from './lineProcess.ts';
import { recordsIn } from './memory.ts';
import { atEnd } from './processes.ts';
import type { RecordingServer } from './recordingServer.ts';
import { RawClient } from './relayPeers.ts';
import { thisPlatform } from './systems.ts';
import { said } from './texts.ts';
import { TurnedClock } from './turnedClock.ts';
import { TurnedPage } from './turnedPage.ts';

/** A server of a window; the test decides what it may see. */
export class StandInServer {
  readonly definition;
  readonly start: ProcessStart;
  readonly identity: string;
  readonly fields = {};
  readonly deaths = new Deaths();
  /** Decides when a process was not used for long: for {@link idleTime}. */
  readonly clock = new TurnedClock();
  idleTime: number | undefined = 30 * 60_000;
  isRetired = false;
  isTrusted = true;
  rule: ServerRule | undefined;
  isLaunchAllowed = true;
  /** The behavior of the last client's process. */
  record: ProcessRecord | undefined;
  private readonly didChange = new Emitter<void>();
  private readonly decisions = new Map<string, Decision>();
  private folders: readonly Folder[] = [];

  readonly onDidChange = this.didChange.event;

  constructor(label: string, start: ProcessStart, identity = 'a1', terms = defaultTerms) {
    const { command, args } = start;
    const launch: Launch = {
      type: 'stdio',
      command,
      args,
      env: {},
      cwd: undefined,
      envFile: undefined,
    };
    this.definition = userServer(label, launch, terms);
    this.start = start;
    this.identity = identity;
  }

  get access(): Access {
    const decisionOn = ({ uri }: Folder) => this.decisions.get(uri) ?? 'undecided';
    const { isTrusted, rule } = this;
    return accessTo(this.folders, { ...allowing(decisionOn), isTrusted, rule });
  }

  get startRoots() {
    const { access } = this;
    return access.isRefused ? undefined : startRoots(access);
  }

  /** Has the window have these folders, in their order, with the answers on them. */
  now(folders: Readonly<Record<string, Decision>>): this {
    const all = Object.entries(folders).map(([path, decision]) => {
      const folder = diskFolder(path, path.split(/[\\/]/).at(-1) ?? '', 'directory', thisPlatform);
      this.decisions.set(folder.uri, decision);
      return folder;
    });
    this.folders = all;
    this.changed();
    return this;
  }

  changed(): void {
    this.didChange.fire();
  }

  async target(): Promise<ProcessStart> {
    return this.start;
  }

  readonly host = {
    burst: { quiet: 300, longest: 2000 },
    idle: { after: this.clock.after, time: () => this.idleTime },
    target: () => this.target(),
    admit: (start: () => Promise<void>) => start(),
    lookAgain: async () => {},
    logger: quiet,
  };

  followClient({ record }: { readonly record: ProcessRecord }): void {
    this.record = record;
  }
}

/** A question to the user, until it is answered. */
export interface Question {
  /** The name of the client, or of all that it is about. */
  readonly client: string;
  /** The servers that it is on by now. */
  readonly servers: () => readonly string[];
  /** Answers on all of them; `undefined`: closes it. */
  readonly answer: (
    answer: { readonly isAllowed: boolean; readonly scope: RecordScope } | undefined,
  ) => void;
}

/** The gateway of a window, with stand-ins for the editor's servers. */
export class GatewayServers {
  readonly sessions: Clients;
  readonly records = recordsIn();
  readonly questions: Question[] = [];
  readonly activity: Activity[] = [];
  readonly exposures: Exposure[] = [];
  readonly page = new TurnedPage();
  /** How many connectors have come. */
  accepted = 0;
  /** Is waited for before a server is looked at that a connector wants. */
  beforeLook: () => Promise<void> = async () => {};
  private readonly home: string;
  private readonly snapshots: Snapshots;
  private readonly owner: ProcessOwner;
  private readonly didChange = new Emitter<Server | undefined>();
  private servers: readonly StandInServer[];
  private socket: GatewaySocket | undefined;
  private file: WindowFile | undefined;

  constructor(home: string, owner: ProcessOwner, servers: readonly StandInServer[]) {
    this.home = home;
    this.snapshots = new Snapshots(home, 'w', quiet, server =>
      this.sessions.consent.askings(server),
    );
    this.owner = owner;
    this.servers = servers;
    this.sessions = new Clients(this.host());
    this.records.onDidChange(kind => {
      for (const server of kind === 'tool' ? this.servers : []) {
        server.changed();
        this.didChange.fire(server as unknown as Server);
      }
    });
    this.page.heartbeat.onDidChange(() => {
      for (const server of this.servers) {
        server.rule = this.page.heartbeat.isGone ? 'no-page' : undefined;
        server.changed();
      }
    });
  }

  /** Opens it under that id, for clients in these folders. */
  async open(id: string, folders: readonly string[]): Promise<void> {
    const { socket, file } = await this.listen(id, folders);
    this.socket = socket;
    this.file = file;
    this.snapshots.follow(this.all(), server => whyRefused({ server }) === undefined);
  }

  /** Its address, once it is open, and the secret that admits a client. */
  get reach(): Pick<GatewaySocket, 'path' | 'nonce'> {
    if (!this.socket) {
      throw new Error('The gateway is not open.');
    }
    return this.socket;
  }

  /** Ends it in the order of the editor. */
  async end(): Promise<void> {
    this.file?.dispose();
    await this.sessions.endAll();
    this.socket?.dispose();
  }

  /** Has another server in the place of one, as when its definition has changed. */
  replace(old: StandInServer, other: StandInServer): void {
    old.isRetired = true;
    this.servers = this.servers.map(server => (server === old ? other : server));
    this.didChange.fire(undefined);
  }

  /** Allows a client to use a server. */
  allow(client: string, server: StandInServer, isAllowed: boolean | undefined = true) {
    return this.records.setAnswer('client', server, isAllowed, client, 'session');
  }

  /** Has the user answer at the row of a client. */
  answerAtRow(client: string, server: StandInServer, isAllowed: boolean): Promise<void> {
    return this.sessions.consent.answer(client, server as unknown as Server, isAllowed);
  }

  /** Has the user turn tools on or off, for a client or for all. */
  choose(server: StandInServer, choice: ToolChoice, client?: string): Promise<void> {
    return this.records.chooseTools(server, choice, client);
  }

  /** The sessions of a server, in order of arrival. */
  sessionsOf(server: StandInServer): readonly ClientSession[] {
    return this.sessions.of(server as unknown as Server).flatMap(({ session }) => session ?? []);
  }

  private async listen(id: string, folders: readonly string[]) {
    const folder = windowsFolder(this.home);
    const socket = await GatewaySocket.listen(folder, connection => {
      this.accepted += 1;
      void this.sessions.accept(connection, this.snapshots);
    });
    const state = { folders, focusedAt: 1, name: id, grants: [] };
    const window = { id, state, onDidChange: new Emitter<void>().event };
    const reach = { socket: socket.path, nonce: socket.nonce };
    const file = await WindowFile.write(folder, window, reach, quiet, all =>
      this.snapshots.describe(all),
    );
    return { socket, file };
  }

  private host(): ClientsHost {
    const context = {
      identities: { refresh: () => this.beforeLook() },
      records: this.records,
      accesses: { page: this.page.heartbeat },
      owner: () => this.owner,
      logger: quiet,
      calls: { note: () => {}, of: () => undefined },
      onExposure: (exposure: Exposure) => void this.exposures.push(exposure),
    };
    return {
      servers: this.all(),
      context: context as unknown as ClientsHost['context'],
      editor: 'The Editor',
      activity: { add: event => void this.activity.push(event) } as ClientsHost['activity'],
      ask: held =>
        new Promise(resolve => {
          const clients = held();
          this.questions.push({
            client: clients.map(({ name }) => name).join(', '),
            servers: () =>
              clients.flatMap(client => client.servers().map(({ definition }) => definition.label)),
            answer: async answer => {
              for (const client of answer ? clients : []) {
                for (const server of client.servers()) {
                  await client.answer(
                    server,
                    answer?.isAllowed === true,
                    answer?.scope ?? 'session',
                  );
                }
              }
              resolve(answer !== undefined);
            },
          });
        }),
      text: inEnglish,
    };
  }

  private all(): Pick<Servers, 'all' | 'onDidChange'> {
    const all = () => this.servers as unknown as readonly Server[];
    return {
      get all() {
        return all();
      },
      onDidChange: this.didChange.event,
    } as Pick<Servers, 'all' | 'onDidChange'>;
  }
}

/** Opens the gateway of a window with these servers, in this process. */
export async function openGatewayServers(
  t: TestContext,
  { home, workspace }: FakeHome,
  ...servers: readonly StandInServer[]
): Promise<GatewayServers> {
  const warnings: unknown[] = [];
  const owner = new ProcessOwner('editor', { warn: message => void warnings.push(message) });
  atEnd(t, () => owner.dispose());
  const gateway = new GatewayServers(home, owner, servers);
  await gateway.open('w', [workspace]);
  atEnd(t, () => gateway.end());
  return gateway;
}

/**
 * A window with one server, which may see its folder.
 *
 * @param clients the clients that may use the server.
 */
export async function gatewayScene(
  t: TestContext,
  record: RecordingServer,
  ...clients: readonly string[]
) {
  const home = fakeHome(t);
  const server = new StandInServer('files', record.start).now({ [home.workspace]: 'allowed' });
  const gateway = await openGatewayServers(t, home, server);
  for (const client of clients) {
    await gateway.allow(client, server);
  }
  return { home, record, server, gateway };
}

export type GatewayScene = Awaited<ReturnType<typeof gatewayScene>>;

/** A client that has started a connector. */
export class ConnectedClient extends RawClient {
  readonly connector: LineProcess;

  constructor(t: TestContext, home: FakeHome, name: string, ...args: readonly string[]) {
    super(line => void this.connector.write(`${line}\n`));
    this.clientInfo = { name, version: '1' };
    this.connector = new LineProcess(t, connectorStart(home, ...args), line => this.take(line));
  }

  /** Leaves as a client does; answers with how the connector ended. */
  leave(): LineProcess['exited'] {
    this.connector.process.stdin.end();
    return this.connector.exited;
  }
}

/** A client without a connector, on the gateway's own socket. */
export function onSocket(
  t: TestContext,
  { home, gateway }: GatewayScene,
): RawClient & { readonly socket: Socket } {
  const { path, nonce } = gateway.reach;
  const socket = connect(path);
  atEnd(t, () => socket.destroy());
  socket.on('error', () => {});
  const client = new RawClient(line => void socket.write(`${line}\n`));
  const lines = new LineReader(Number.MAX_SAFE_INTEGER, line => client.take(line.toString()));
  socket.on('data', chunk => lines.push(chunk));
  socket.write(`${helloLine(nonce, { server: 'files', cwd: home.workspace }).trim()}\n`);
  return Object.assign(client, { socket });
}

/** A client of the window in that home that has shaken hands. */
export async function came(
  t: TestContext,
  { home }: Pick<GatewayScene, 'home'>,
  name = 'codex',
): Promise<ConnectedClient> {
  const client = new ConnectedClient(t, home, name, '--workspace', home.workspace);
  await client.initialize();
  return client;
}

/** The outcome of a client's call: a text, or the keys of its error. */
export async function called(client: RawClient, tool = 'answers'): Promise<string> {
  return outcome(await client.call(tool));
}

/** The answer to a call: its text, or the keys of its error's sentence. */
export function outcome({ result, error }: Awaited<ReturnType<RawClient['ask']>>): string {
  const texts = (content: readonly { readonly text: string }[]) => content.map(({ text }) => text);
  return error ? `error: ${said(error.message)}` : texts(result.content).join('\n');
}

const ignore = () => {};
const quiet = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };
