import { join, parse } from 'node:path';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { type Access, accessTo } from '../../domain/consent/folderAccess.ts';
import { decider, latestRefusals, readOnlyChoices } from '../../domain/consent/grants.ts';
import { holdsElsewhere, isLaunchAllowed } from '../../domain/consent/launchConsent.ts';
import type { Ruling } from '../../domain/folders/folderRules.ts';
import { diskFolder } from '../../domain/folders/folders.ts';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import { ruleAgainst, ruleSettings, type ServerRule } from '../../domain/servers/editorRules.ts';
import {
  configurationRoutes,
  type ServerDefinition,
} from '../../domain/servers/serverDefinition.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import { startWorkspace } from '../foldersOnDisk.ts';
import { ContextKey } from '../ids.ts';
import type { ServerRecords } from '../records/serverRecords.ts';
import { settings } from '../settings.ts';
import * as vscode from '../vscode.ts';
import { bundledServerId } from './bundledServer.ts';
import { PageHeartbeat } from './pageHeartbeat.ts';

/** Each server's access, by folders, answers and trust; none if the window's page is gone. */
export class AccessSource implements IDisposable {
  private readonly folders: CandidateFolders;
  private readonly records: Pick<ServerRecords, 'of' | 'onDidChange'>;
  private readonly store = new DisposableStore();
  /** The page runs this command, not the extension host, so a result proves a present page. */
  readonly page = this.store.add(
    new PageHeartbeat(() => vscode.commands.executeCommand('setContext', ContextKey.hasPage, true)),
  );
  private readonly didChange = this.store.add(new vscode.EventEmitter<void>());

  /** Fires when {@link of} may return another value. */
  readonly onDidChange = this.didChange.event;

  constructor(folders: CandidateFolders, records: Pick<ServerRecords, 'of' | 'onDidChange'>) {
    this.folders = folders;
    this.records = records;
    this.store.add(this.page.onDidChange(() => this.didChange.fire()));
    this.store.add(folders.onDidChange(() => this.didChange.fire()));
    this.store.add(records.onDidChange(kind => kind === 'grant' && this.didChange.fire()));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.didChange.fire()));
    this.store.add(
      vscode.workspace.onDidChangeConfiguration(change => {
        if (ruleSettings.some(name => change.affectsConfiguration(`chat.mcp.${name}`))) {
          this.didChange.fire();
        }
      }),
    );
  }

  /** True if the user agreed to start this server. The bundled server needs no agreement. */
  isLaunchAllowed({ id: serverId, launch }: ServerDefinition, identity: string): boolean {
    const isEverywhere = holdsElsewhere(launch, startWorkspace());
    return (
      serverId === bundledServerId ||
      isLaunchAllowed(this.records.of('grant'), { serverId, identity }, isEverywhere)
    );
  }

  /** The present access of a server. */
  of(definition: ServerDefinition, identity: string): Access {
    const answers = this.records.of('grant', definition.id);
    const server = { serverId: definition.id, identity };
    return accessTo(this.folders.for(definition), {
      isTrusted: vscode.workspace.isTrusted,
      needsFolder:
        server.serverId === bundledServerId || configurationRoutes(definition.rootsAs).length > 0,
      rule: this.ruleOn(definition),
      rules: this.folders.rules,
      isOffered: folder => this.folders.isOffered(definition, folder),
      // Device numbers change at a reboot, so they count only for answers since this process began.
      decisionOn: decider(answers, server, performance.timeOrigin),
      wasRefused: latestRefusals(answers, definition.id),
      isReadOnly: definition.sandbox && readOnlyChoices(answers, server),
    });
  }

  /** The rule that forbids a server, if there is one. */
  private ruleOn({ id, label: name, launch }: ServerDefinition): ServerRule | undefined {
    const isOwn = id === bundledServerId;
    return this.page.isGone
      ? 'no-page'
      : ruleAgainst(settings.rules, { name, launch, isOwn, env: process.env });
  }

  /** True if the settings forbid a path, or something in it, for every server. */
  isForbidden(path: string): boolean {
    const { exclusion, forbiddenWithin } = this.rulingAt(path);
    return exclusion === 'forbidden' || forbiddenWithin.length > 0;
  }

  /** The paths that the settings forbid for every server, with everything in them. */
  get forbidden(): readonly string[] {
    // The home itself is forbidden, but not everything in it.
    const isWhole = (path: string) => this.rulingAt(join(path, 'any')).exclusion === 'forbidden';
    return this.rulingAt(parse(process.cwd()).root).forbiddenWithin.filter(isWhole);
  }

  private rulingAt(path: string): Ruling {
    const folder = diskFolder(path, '', 'directory', process.platform as PathPlatform);
    return this.folders.rules.rulingOn(folder);
  }

  /** Waits for the page, and checks folders on disk again. Then {@link of} knows the results. */
  async lookAgain(): Promise<void> {
    await this.page.answered();
    await this.folders.refresh();
  }

  dispose(): void {
    this.store.dispose();
  }
}
