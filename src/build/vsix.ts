import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';

// Writes dist/mcp-roots.vsix. A gallery shows no picture and opens no page by a relative link. So
// if the project has an address (`npm run address`), the links of README begin with the address.

const cwd = join(import.meta.dirname, '..', '..');
const { repository } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
const hasAddress = repository !== undefined;
// A zip has local times. UTC and SOURCE_DATE_EPOCH make the same bytes in every time zone.
process.env['TZ'] = 'UTC';
await createVSIX({
  cwd,
  dependencies: false,
  packagePath: join('dist', 'mcp-roots.vsix'),
  allowMissingRepository: !hasAddress,
  rewriteRelativeLinks: hasAddress,
});
