import type { IDisposable } from '../../base/disposable.ts';
import { planImport } from '../../domain/adding/importPlan.ts';
import { hubName, nameThroughUs } from '../../domain/gateway/clientEntries.ts';
import type { ImportSource } from '../../domain/gateway/clientFiles.ts';
import { clientNames } from '../../domain/gateway/clientNames.ts';
import { printable } from '../../domain/printable.ts';
import { userServerId } from '../../domain/servers/serverDefinition.ts';
import { type Shown, shown, shownLine } from '../../domain/shown.ts';
import { existingSettings } from '../adding/writeServers.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { Clients } from '../gateway/clients.ts';
import { hubConfigFile } from '../hub/hubConfigFile.ts';
import type { Launcher, Launchers } from '../hub/launcher.ts';
import { Command, InternalCommand } from '../ids.ts';
import type { ServerRow } from '../rows.ts';
import type { Server } from '../servers/server.ts';
import { isSameList, type Servers } from '../servers/servers.ts';
import type { SettingsScope } from '../settings.ts';
import { localized, t } from '../text.ts';
import { problemOfServer } from '../views/problemItem.ts';
import { stateTexts, wordOf } from '../views/serverItem.ts';
import * as vscode from '../vscode.ts';
import { type DefinedServer, type DefinitionText, rangeOfNodes } from './definitionText.ts';
import type { ReadDocument } from './marks.ts';

/** The parts of a window that the lines above servers need. */
export interface LensWindow {
  readonly servers: Pick<Servers, 'all' | 'leftOut' | 'withId'>;
  readonly questions: Pick<OpenQuestions, 'of'>;
  readonly clients: Pick<Clients, 'of'>;
  readonly launchers: Readonly<Record<keyof Launchers, Pick<Launcher, 'path'>>>;
}

/** A line above each server in a file: its state, and a click to start or import it. */
export class ServerLenses implements vscode.CodeLensProvider, IDisposable {
  private readonly window: LensWindow;
  private readonly read: ReadDocument;
  private readonly didChange = new vscode.EventEmitter<void>();
  private readonly shown = new Map<vscode.TextDocument, readonly vscode.CodeLens[]>();

  readonly onDidChangeCodeLenses = this.didChange.event;

  constructor(window: LensWindow, read: ReadDocument) {
    this.window = window;
    this.read = read;
  }

  dispose(): void {
    this.didChange.dispose();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const lenses = this.lensesIn(document);
    this.shown.set(document, lenses);
    return lenses;
  }

  /**
   * Draws the lines again, but only if their text has changed: the editor loses a click on a line
   * while it draws the line.
   */
  refresh(): void {
    let isOther = false;
    for (const [document, before] of this.shown) {
      if (document.isClosed) {
        this.shown.delete(document);
      } else {
        isOther ||= !isSame(before, this.lensesIn(document));
      }
    }
    if (isOther) {
      this.didChange.fire();
    }
  }

  private lensesIn(document: vscode.TextDocument): vscode.CodeLens[] {
    const text = this.read(document);
    const lineOf = text && this.linesIn(text);
    return (text?.servers ?? []).flatMap(server => {
      const range = rangeOfNodes(document, server.key);
      return (lineOf?.(server) ?? []).map(command => new vscode.CodeLens(range, command));
    });
  }

  private linesIn(text: DefinitionText): LineOf {
    const { kind } = text;
    switch (kind.kind) {
      case 'settings':
        return ({ name }) => this.ownLines(name, kind.from);
      case 'hub':
        return () => []; // The hub's servers run for clients of the hub, not in this window.
      case 'client':
        return this.clientLines(text, kind.source);
    }
  }

  /** The lines above a server of the settings. If it is not in use, a line says why. */
  private ownLines(name: string, from: SettingsScope | undefined): readonly vscode.Command[] {
    const { servers } = this.window;
    const server = servers.withId(userServerId(name));
    if (server && server.definition.from === from) {
      return stateLine(server, this.window);
    }
    const isMistaken = servers.leftOut.some(one => one.name === name && one.from === from);
    return [
      said(isMistaken ? t('left out: a mistake in the settings') : t('not in use in this window')),
    ];
  }

  /** Lines above the servers of another client. */
  private clientLines({ document, value }: DefinitionText, source: ImportSource): LineOf {
    const { candidates } = planImport([{ source, value }], existingSettings());
    const isTrusted = vscode.workspace.isTrusted;
    const { connector, hub } = this.window.launchers;
    const ours = { connector: connector.path, hub: hub.path, config: hubConfigFile(hub) };
    return ({ name, path, entry }) => {
      const through = nameThroughUs(entry, ours);
      if (through !== undefined) {
        return [this.throughLine(through)];
      }
      const found = candidates.find(({ originalName }) => originalName === name);
      if (found?.status === 'present') {
        const copy = printable(found.name);
        const server = this.window.servers.withId(userServerId(found.name));
        return [this.line(t('Bypasses MCP Roots, which has a copy called "{0}"', copy), server)];
      }
      const canImport = isTrusted && found !== undefined && found.status !== 'impossible';
      const args = [document.uri, path];
      const offer = { command: InternalCommand.importServer, arguments: args };
      const state = said(t('Bypasses MCP Roots'));
      return [state, ...(canImport ? [{ title: t('Import…'), ...offer }] : [])];
    };
  }

  /** The line above a client's entry for MCP Roots. `name` is the server's name for clients. */
  private throughLine(name: string): vscode.Command {
    if (name === hubName) {
      return said(t('the hub of MCP Roots'));
    }
    const { server } = clientNames(this.window.servers.all).find(one => one.name === name) ?? {};
    const label = server?.definition.label ?? name;
    return this.line(t('goes through MCP Roots to "{0}"', printable(label)), server);
  }

  private line(text: Shown, server: Server | undefined): vscode.Command {
    return said(server ? t('{0}: {1}', text, stateText(server, this.window)) : text);
  }
}

/** Whether two lists of lines have the same texts at the same places. */
function isSame(some: readonly vscode.CodeLens[], others: readonly vscode.CodeLens[]): boolean {
  const partsOf = ({ command, range }: vscode.CodeLens) => {
    const row: ServerRow | vscode.Uri | undefined = command?.arguments?.[0];
    const server = row && 'server' in row ? row.server : undefined;
    return [command?.title, command?.tooltip, range.start.line, server];
  };
  return isSameList(some.flatMap(partsOf), others.flatMap(partsOf));
}

/** The line above a server: texts, and commands to click. */
type LineOf = (server: DefinedServer) => readonly vscode.Command[];

/** A text without a click. */
function said(title: Shown): vscode.Command {
  return { title, command: '' };
}

/** The state of a server, in the same words as in its row. */
function stateText(server: Server, { questions, clients }: LensWindow): Shown {
  const word = wordOf(server, questions);
  const problem = problemOfServer(server);
  return problem && word === 'failed'
    ? t('failed: {0}', printable(localized(problem.what)))
    : shown(stateTexts(server, word, clients.of(server)).join(' · '));
}

/** The texts above a server: its state, and a start to click if the server does not run. */
function stateLine(server: Server, window: LensWindow): readonly vscode.Command[] {
  const row: ServerRow = { kind: 'server', server };
  const problem = problemOfServer(server);
  const state = {
    ...said(stateText(server, window)),
    ...(problem && { tooltip: shownLine(localized(problem.todo)) }),
  };
  const start = { title: t('Start'), command: Command.startServer, arguments: [row] };
  return vscode.workspace.isTrusted && !server.isLive ? [state, start] : [state];
}
