import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// `npm run address -- https://github.com/owner/mcp-roots` writes to package.json where the extension
// is published from: the one thing that whoever publishes it has to fill in.

/**
 * The manifest with the fields that follow from the address of the repository, after the licence.
 *
 * @throws when it is none that a person can open.
 */
export function withAddress(manifest: Readonly<Record<string, unknown>>, url: string) {
  if (!/^https:\/\/[\w.-]+(?:\/[\w.~-]+){2,}(?<!\.git)$/.test(url)) {
    throw new Error(`Name the repository as https://host/owner/name, not as "${url}".`);
  }
  const fields = {
    repository: { type: 'git', url },
    bugs: { url: `${url}/issues` },
    homepage: `${url}#readme`,
    qna: `${url}/issues`,
  };
  const { name, displayName, description, version, publisher, license, ...rest } = manifest;
  const first = { name, displayName, description, version, publisher, license };
  return { ...first, ...fields, ...rest, ...fields };
}

if (import.meta.main) {
  const file = join(import.meta.dirname, '..', '..', 'package.json');
  const manifest = withAddress(JSON.parse(readFileSync(file, 'utf8')), process.argv[2] ?? '');
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
