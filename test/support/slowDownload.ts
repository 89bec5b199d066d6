import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { StdioLaunch } from '../../src/domain/servers/launch.ts';
import { stdioLaunch } from './launches.ts';
import type { RecordingServer } from './recordingServer.ts';
import { tempFolder } from './temp.ts';

/** A server that takes as long to download as the test wants. */
export interface SlowDownload {
  readonly launch: StdioLaunch;
  /** How often the download was begun. */
  readonly times: () => number;
  readonly finish: () => void;
}

/** A program with the name of one that downloads, which becomes the server in the end; not on Windows. */
export function slowDownload(t: TestContext, { start }: RecordingServer): SlowDownload {
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
    times: () => (existsSync(begun) ? readFileSync(begun, 'utf8').length : 0),
    finish: () => writeFileSync(done, ''),
  };
}
