import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeServer } from './codeServer.ts';

/** The lines an extension wrote to one of its log channels, over all sessions, the oldest first. */
export function channelLog(server: CodeServer, extensionId: string, channel: string): string[] {
  // Files are named after their channels, without the characters that no file name can have.
  const name = channel.replaceAll(/[\\/:*?"<>|]/g, '');
  return globSync(join(server.logFolder, '*', 'exthost*', extensionId, `${name}.log`))
    .sort()
    .flatMap(file => readFileSync(file, 'utf8').split('\n'))
    .filter(line => line !== '');
}
