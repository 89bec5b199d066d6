import assert from 'node:assert/strict';
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { accessTo, startRoots } from '../../src/domain/consent/folderAccess.ts';
import { diskFolder } from '../../src/domain/folders/folders.ts';
import { lookAt } from '../../src/extension/folders/diskState.ts';
import { processStart } from '../../src/mcp/process/stdio/processStart.ts';
import type { SkippedRoot } from '../../src/server/roots/rootFolders.ts';
import { allowing } from '../support/access.ts';
import { serverMain } from '../support/bundledServer.ts';
import { stdioLaunch } from '../support/launches.ts';
import { callText, recordingConnection } from '../support/recordingConnection.ts';
import { skipLinks, thisPlatform } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { said } from '../support/texts.ts';

const protocols = ['legacy', '2026-07-28'] as const;

/** The bundled server, connected as the editor's part does it, for a folder that was allowed. */
async function sharing(t: TestContext, protocol: (typeof protocols)[number]) {
  const top = tempFolder(t);
  writeTree(top, { 'ws/a.txt': 'mine', 'out/a.txt': 'secret' });
  const [ws, out] = [join(top, 'ws'), join(top, 'out')];
  const allowed = await lookAt(ws);
  /** The roots after a look at the disk: a folder in place of the allowed one does not count. */
  const roots = async () => {
    const folder = { ...diskFolder(ws, 'ws', 'directory', thisPlatform), ...(await lookAt(ws)) };
    const terms = allowing(({ place }) => (place === allowed.place ? 'allowed' : 'replaced'));
    return startRoots(accessTo([folder], terms));
  };
  let isLooking = true;
  const look = async () => {
    if (isLooking) {
      recording.connection.setRoots(await roots());
    }
  };
  const recording = recordingConnection(t, {}, undefined, look);
  const launch = stdioLaunch({ command: process.execPath, args: [serverMain] });
  const start = await processStart({ launch, secrets: [], folder: top, workspace: [] });
  const state = await recording.connection.start(start, await roots(), protocol);
  assert.equal(state.kind, 'running');
  const swap = () => {
    renameSync(ws, `${ws}-kept`);
    symlinkSync(out, ws);
  };
  const read = () => callText(recording.connection, 'read-file', { path: join(ws, 'a.txt') });
  const skipped = async () => {
    const told = await recording.connection.callTool({ name: 'get-roots', arguments: {} });
    return (told.structuredContent as { readonly skipped: readonly SkippedRoot[] }).skipped;
  };
  const stopLooking = () => {
    isLooking = false;
  };
  return { ...recording, ws, swap, read, skipped, stopLooking };
}

for (const protocol of protocols) {
  test(`refuses a folder that is swapped after the editor’s check (${protocol})`, {
    skip: skipLinks,
  }, async t => {
    const { events, read, skipped, swap, stopLooking } = await sharing(t, protocol);
    let isSwapped = false;
    // The event fires in the turn of the answer, after the look.
    events.onDidServeRoots(({ roots }) => {
      if (!isSwapped && roots.length > 0) {
        isSwapped = true;
        swap();
        stopLooking();
      }
    });
    assert.match(await read(), / is outside /);
    assert.equal(isSwapped, true);
    const reasons = (await skipped()).map(({ reason }) => said(reason));
    assert.deepEqual(reasons, ['rootFolders.notInPlace.replaced()']);
  });
}
