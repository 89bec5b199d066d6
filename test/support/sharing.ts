import type { TestContext } from 'node:test';
import { RawSession, rootOf } from './bundledServer.ts';
import { tempFolder, writeTree } from './temp.ts';

/** Answers what the server asks next about roots with these. */
export async function share(session: RawSession, roots: readonly object[]): Promise<void> {
  const { id } = await session.rootsRequest();
  session.send({ id, result: { roots } });
}

/** A session that shares a folder with these files, by default a new folder. */
export async function sharing(
  t: Pick<TestContext, 'after'>,
  files: Readonly<Record<string, string>>,
  folder: string = tempFolder(t),
): Promise<{ readonly session: RawSession; readonly folder: string }> {
  writeTree(folder, files);
  const session = new RawSession(t);
  await session.initialize();
  await share(session, [rootOf(folder)]);
  return { session, folder };
}
