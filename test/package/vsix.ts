import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';

// Writes dist/mcp-roots.vsix. Galleries show no picture and open no page by a relative link: with an
// address (`npm run address`), README's links lead there. Without one, they stay as they are.

const cwd = join(import.meta.dirname, '..', '..');
const { repository } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
const hasAddress = repository !== undefined;
// Times of files are local ones in a zip: with SOURCE_DATE_EPOCH, it is the same in every zone.
process.env['TZ'] = 'UTC';
await createVSIX({
  cwd,
  dependencies: false,
  packagePath: join('dist', 'mcp-roots.vsix'),
  allowMissingRepository: !hasAddress,
  rewriteRelativeLinks: hasAddress,
});
