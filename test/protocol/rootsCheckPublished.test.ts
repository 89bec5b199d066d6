import { deepEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ProtocolChoice } from '../../src/domain/servers/serverDefinition.ts';
import { askUntil } from '../support/askUntil.ts';
import { rootOf, serverMain } from '../support/bundledServer.ts';
import { packaged } from '../support/hubServers.ts';
import { callText, recordingConnection } from '../support/recordingConnection.ts';
import { programStart } from '../support/recordingServer.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

/** Published servers with reading tool and revision, and whether they keep to their roots. */
const servers: readonly (readonly [string, string, ProtocolChoice, boolean])[] = [
  [packaged('@modelcontextprotocol/server-filesystem'), 'read_file', 'auto', true],
  [packaged('server-filesystem-2'), 'read_file', 'legacy', true],
  // It does not ask in the latest revision.
  [packaged('server-filesystem-2'), 'read_file', 'auto', false],
  [serverMain, 'read-file', 'auto', true],
];

for (const [program, tool, protocol, isHeeding] of servers) {
  const name = program.split(/[\\/]/).slice(-3).join('/');
  test(`${name} (${protocol}) reads ${isHeeding ? 'in its roots alone, after each change' : 'nothing'}`, async t => {
    const top = tempFolder(t);
    const names = ['a', 'größe & 100% #1'] as const;
    writeTree(top, Object.fromEntries(names.map(one => [`${one}/note.txt`, `note of ${one}`])));
    const rootAt = (one: string) => ({ name: one, uri: rootOf(join(top, one)).uri });
    const [a, b] = [rootAt(names[0]), rootAt(names[1])];
    const { connection } = recordingConnection(t);
    await connection.start(programStart(top, program), [a], protocol);
    const isRead = async (folder: string) => {
      const path = join(top, folder, 'note.txt');
      const text = await callText(connection, tool, { path }).catch(String);
      return text.includes(`note of ${folder}`);
    };
    // Nothing tells when a server has taken its roots in.
    const seen = async (wanted: readonly boolean[]) =>
      askUntil(
        () => Promise.all(names.map(isRead)),
        answer => String(answer) === String(wanted),
      );
    for (const [roots, wanted] of [
      [[a], [isHeeding, false]],
      [
        [a, b],
        [isHeeding, isHeeding],
      ],
      [[b], [false, isHeeding]],
    ] as const) {
      connection.setRoots(roots);
      deepEqual(await seen(wanted), wanted);
    }
  });
}
