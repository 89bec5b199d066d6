import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { stdioLaunch } from './launches.ts';
import type { RecordingServer } from './recordingServer.ts';
import { tempFolder } from './temp.ts';

/** A program named like a downloader, until the test makes it the server; not on Windows. */
export function slowDownload(t: TestContext, { start }: RecordingServer) {
  const folder = tempFolder(t);
  const command = join(folder, 'npx');
  const begun = join(folder, 'begun');
  const done = join(folder, 'done');
  const words = [start.command, ...start.args].map(word => `'${word}'`).join(' ');
  const wait = `while [ ! -e '${done}' ]; do sleep 0.05; done`;
  const script = ['#!/bin/sh', `echo >> '${begun}'`, wait, `exec ${words}`];
  writeFileSync(command, `${script.join('\n')}\n`, { mode: 0o755 });
  return {
    launch: stdioLaunch({ command, args: ['-y', 'server'] }),
    /** How often the download was begun. */
    times: () => (existsSync(begun) ? readFileSync(begun, 'utf8').length : 0),
    finish: () => writeFileSync(done, ''),
  };
}
