import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { RawSession } from './bundledServer.ts';
import { configOf, type HubServer } from './hubServers.ts';
import { rawHub } from './rawHub.ts';
import { tempFolder } from './temp.ts';

/** A hub that shares a folder with these servers and has an audit. */
export async function openAuditedHub(
  t: TestContext,
  servers: Readonly<Record<string, HubServer>>,
): Promise<{ readonly session: RawSession; readonly folder: string; readonly audit: string }> {
  const folder = tempFolder(t);
  const audit = join(tempFolder(t), 'audit.jsonl');
  const args = ['--audit', audit];
  const session = await rawHub(t, { config: configOf(servers), roots: [folder], args });
  return { session, folder, audit };
}
