import type { TestContext } from 'node:test';
import { type Access, accessTo } from '../../src/domain/consent/folderAccess.ts';
import { answer, decider, type Grant, type GrantScope } from '../../src/domain/consent/grants.ts';
import {
  type Revocations,
  unrevokedGrants,
  withRevoked,
} from '../../src/domain/consent/revocations.ts';
import type { FolderRules } from '../../src/domain/folders/folderRules.ts';
import type { Folder } from '../../src/domain/folders/folders.ts';
import type { ServerDefinition } from '../../src/domain/servers/serverDefinition.ts';
import { WindowServer } from './windowServer.ts';

const noRules: FolderRules = {
  rulingOn: () => ({ exclusion: undefined, forbiddenWithin: [], isWide: false }),
};

/** What all windows of one editor know of a user's answers. */
export class SharedAnswers {
  always: readonly Grant[] = [];
  revocations: Revocations = {};
  private lastAnswer = 0;

  /** The moment of the next answer, after every other. */
  next(): number {
    this.lastAnswer += 1;
    return this.lastAnswer;
  }
}

/**
 * A window of the editor without the editor: folders, answers that are its own or shared, and
 * servers that run, each of which is brought what it may see by the code under test.
 */
export class RootsWindow {
  readonly servers: WindowServer[] = [];
  private readonly shared: SharedAnswers;
  private folders: readonly Folder[];
  /** Those for the session and for the workspace. */
  private own: readonly Grant[] = [];

  constructor(folders: readonly Folder[], shared = new SharedAnswers()) {
    this.folders = folders;
    this.shared = shared;
  }

  /** Defines a server of this window, which {@link WindowServer.start} starts. */
  define(t: TestContext, definition: ServerDefinition): WindowServer {
    const server = new WindowServer(t, definition, server => this.accessOf(server));
    this.servers.push(server);
    return server;
  }

  /** Keeps the user's answer on a folder, as the editor's state does, and brings it to the servers. */
  async answer(
    server: WindowServer,
    folder: Folder,
    decision: Grant['decision'],
    scope: GrantScope,
  ): Promise<void> {
    const { definition, identity } = server;
    const at = this.shared.next();
    const grant = { identity, folder: folder.uri, decision, scope, at, fields: server.fields };
    const all = answer(this.grants, { serverId: definition.id, ...grant });
    this.own = all.filter(({ scope }) => scope !== 'always');
    this.shared.always = all.filter(({ scope }) => scope === 'always');
    await this.look();
  }

  /** Withdraws everything that a server of this id was allowed, in every window. */
  async revokeAll({ definition }: WindowServer): Promise<void> {
    const before = { grants: this.grants, revocations: this.shared.revocations };
    this.shared.revocations = withRevoked([definition.id], before, this.shared.next());
    await this.look();
  }

  async open(folders: readonly Folder[]): Promise<void> {
    this.folders = folders;
    await this.look();
  }

  /** Brings to the servers what they may see now; other windows may have changed it. */
  async look(): Promise<void> {
    await Promise.all(this.servers.map(server => server.update()));
  }

  private get grants(): readonly Grant[] {
    return unrevokedGrants([...this.own, ...this.shared.always], this.shared.revocations);
  }

  private accessOf({ definition, identity }: WindowServer): Access {
    return accessTo(this.folders, {
      isTrusted: true,
      rules: noRules,
      isOffered: () => true,
      decisionOn: decider(this.grants, { serverId: definition.id, identity }, 0),
    });
  }
}
