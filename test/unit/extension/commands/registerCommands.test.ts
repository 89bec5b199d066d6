import { deepEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Logger } from '../../../../src/base/logger.ts';
import { HumanError } from '../../../../src/domain/sentence.ts';
import { shown } from '../../../../src/domain/shown.ts';
import { onServer, onServers } from '../../../../src/extension/commands/pickServer.ts';
import {
  type CommandTable,
  onRows,
  registerCommands,
} from '../../../../src/extension/commands/registerCommands.ts';
import { Command } from '../../../../src/extension/ids.ts';
import { liveRow } from '../../../../src/extension/rows.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import type { Servers } from '../../../../src/extension/servers/servers.ts';
import * as vscode from '../../../../src/extension/vscode.ts';
import { shownServer } from '../../../support/shownServer.ts';

describe('a command', () => {
  const all = ['a', 'b', 'c'].map(label =>
    shownServer({ definition: { ...shownServer().definition, label } }),
  );
  const leftOut = { name: 'odd' };
  const servers = { all, leftOut: [leftOut] } as unknown as Servers;
  const [a, b, c] = all.map(server => ({ kind: 'server', server }));
  const mistake = { kind: 'mistake', leftOut };
  /** The arguments of each way to call a command: the clicked row, and all selected rows. */
  const calls: readonly (readonly unknown[])[] = [
    [],
    [null, null],
    [a, null],
    [mistake, null],
    [a, [a, b, c]],
    [a, [a, mistake, { ...b, kind: 'tools' }]],
    [a, [a, { ...b, server: { ...b?.server } }]],
    [{ kind: 'started', serverLabel: 'of Activity' }],
  ];
  const registered = new Map<string, (...handed: readonly unknown[]) => Promise<void>>();
  const said: string[] = [];
  const logger = { warn: () => {}, error: () => {} } as unknown as Logger;
  Object.assign(vscode.commands, {
    registerCommand: (id: string, run: () => Promise<void>) => registered.set(id, run),
  });
  Object.assign(vscode.window, {
    showErrorMessage: async (text: string) => void said.push(text.replace(/[.:].*/, '')),
    showQuickPick: async (items: readonly unknown[]) => items[1],
  });
  const saying = (server: Server) => said.push(server.definition.label);
  const pick = { placeHolder: shown('Which?'), none: 'There is none.' };
  const isWanted = (server: Server) => server !== all[1];
  registerCommands(
    {
      window: {
        help: async (...handed: readonly unknown[]) => said.push(`got ${handed.length}`),
      },
      row: { editServer: onServer(servers, pick, async server => saying(server)) },
      rows: {
        denyClient: onRows(async rows => said.push(rows.map(({ kind }) => kind).join(' '))),
        startServer: onServers(servers, logger, { ...pick, isWanted }, async server => {
          saying(server);
          if (server === all[0]) {
            throw new HumanError('Failed.');
          }
        }),
      },
      handed: {},
    } as unknown as CommandTable,
    logger,
    row => liveRow(row, servers, { of: () => [] }),
  );
  const saidBy = async (id: string) => {
    const each: string[] = [];
    for (const handed of calls) {
      await registered.get(id)?.(...handed);
      each.push(said.splice(0).join(' '));
    }
    return each;
  };

  it('of the window runs with any arguments', async () => {
    deepEqual(await saidBy(Command.help), Array(calls.length).fill('got 0'));
  });

  it('of rows gets all selected rows, also those of mistakes, and says that it needs one', async () => {
    const [gone, none] = [
      'This row does not exist any more',
      'Select a row of the view "Servers" first',
    ];
    const several = ['server server server', 'server mistake tools'];
    const called = [none, none, 'server', 'mistake', ...several, gone, gone];
    deepEqual(await saidBy(Command.denyClient), called);
  });

  it('of one server takes its row or asks for one, and refuses several', async () => {
    const [gone, several, none] = [
      'This row does not exist any more',
      'Select one row',
      'There is none',
    ];
    const called = ['b', 'b', 'a', none, several, several, gone, gone];
    deepEqual(await saidBy(Command.editServer), called);
  });

  it('of servers works on each suitable selected server, even after a failure', async () => {
    const gone = 'This row does not exist any more';
    const called = ['c', 'c', 'a Failed', 'There is none', 'a Failed c', 'a Failed', gone, gone];
    deepEqual(await saidBy(Command.startServer), called);
  });
});
