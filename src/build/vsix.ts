import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';

// Writes dist/mcp-roots.vsix. Galleries show no picture and open no page by a relative link. With an
// address (`npm run address`), README's links lead to it; without an address, they stay as they are.

const cwd = join(import.meta.dirname, '..', '..');
const { repository } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
const hasAddress = repository !== undefined;
// A zip has local times: with SOURCE_DATE_EPOCH, the file is the same in every time zone.
process.env['TZ'] = 'UTC';
await createVSIX({
  cwd,
  dependencies: false,
  packagePath: join('dist', 'mcp-roots.vsix'),
  allowMissingRepository: !hasAddress,
  rewriteRelativeLinks: hasAddress,
});
