import assert from 'node:assert/strict';
import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { accessTo, startRoots } from '../../src/domain/consent/folderAccess.ts';
import { diskFolder } from '../../src/domain/folders/folders.ts';
import { lookAt } from '../../src/extension/folders/diskState.ts';
import { processStart } from '../../src/mcp/stdio/processStart.ts';
import type { SkippedRoot } from '../../src/server/roots/rootFolders.ts';
import { allowing } from '../support/access.ts';
import { serverMain } from '../support/bundledServer.ts';
import { stdioLaunch } from '../support/launches.ts';
import { callText, recordingConnection } from '../support/recordingConnection.ts';
import { skipLinks, thisPlatform } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const protocols = ['legacy', '2026-07-28'] as const;

/** The bundled server, connected as the editor's part does it, for a folder that was allowed. */
async function sharing(t: TestContext, protocol: (typeof protocols)[number]) {
  const top = tempFolder(t);
  writeTree(top, { 'ws/a.txt': 'mine', 'out/a.txt': 'secret' });
  const [ws, out] = [join(top, 'ws'), join(top, 'out')];
  const allowed = await lookAt(ws);
  /** The roots as they are after a look: a folder in the place of the allowed one is none. */
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
  const swapBack = () => {
    unlinkSync(ws);
    renameSync(`${ws}-kept`, ws);
  };
  const read = () => callText(recording.connection, 'read-file', { path: join(ws, 'a.txt') });
  const skipped = async () => {
    const told = await recording.connection.callTool({ name: 'get-roots', arguments: {} });
    return (told.structuredContent as { readonly skipped: readonly SkippedRoot[] }).skipped;
  };
  const stopLooking = () => {
    isLooking = false;
  };
  return { ...recording, ws, swap, swapBack, read, skipped, stopLooking };
}

for (const protocol of protocols) {
  test(`the bundled server reads what was allowed, and nothing in its place (${protocol})`, {
    skip: skipLinks,
  }, async t => {
    const { read, swap, swapBack } = await sharing(t, protocol);
    assert.equal(await read(), 'mine');
    swap();
    assert.match(await read(), /is outside the folders shared/);
    swapBack();
    assert.equal(await read(), 'mine');
  });

  test(`a folder that is swapped between the look and the taking is not taken (${protocol})`, {
    skip: skipLinks,
  }, async t => {
    const { events, read, skipped, swap, stopLooking } = await sharing(t, protocol);
    let isSwapped = false;
    // It is told of in the turn in which the answer goes out, after the look.
    events.onDidServeRoots(({ roots }) => {
      if (!isSwapped && roots.length > 0) {
        isSwapped = true;
        swap();
        stopLooking();
      }
    });
    assert.match(await read(), /is outside the folders shared/);
    assert.equal(isSwapped, true);
    assert.deepEqual(
      (await skipped()).map(({ reason }) => reason),
      ['It is another folder now than the one that was shared.'],
    );
  });
}
