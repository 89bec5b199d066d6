import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createWorkspace } from '../vscode/workspaceFile.ts';

const files = {
  'api/README.md': '# API\n\nServes the web shop.\n',
  'api/src/server.ts': "export const port = Number(process.env['PORT'] ?? 8080);\n",
  'web/README.md': '# Web\n\nThe shop as its customers see it.\n',
  'web/index.html': '<!doctype html>\n<title>Shop</title>\n<h1>Shop</h1>\n',
};

/** Makes a small workspace of two folders, `api` and `web`, anew. Returns its file. */
export function createDemo(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return createWorkspace(folder, ['api', 'web']);
}
