import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import * as z from 'zod';
import { tempFolder } from '../support/temp.ts';

// By its path: it has no types.
const { withSchemasWhenUsed } = await import(new URL('../../esbuild.mjs', import.meta.url).href);

const packages = join(import.meta.dirname, '..', '..', 'node_modules', '@modelcontextprotocol');

describe('the schemas of the SDK that the build has made when they are first used', () => {
  for (const side of ['client', 'server']) {
    it(`are those that the ${side} has by itself`, async t => {
      const folder = join(packages, side, 'dist');
      const file = readdirSync(folder).find(name => /^src-.*\.mjs$/.test(name)) ?? '';
      const text = withExportOfAll(readFileSync(join(folder, file), 'utf8'));
      const [its, ours] = await Promise.all([
        schemasOf(t, text, folder),
        schemasOf(t, await withSchemasWhenUsed(text, []), folder),
      ]);
      assert.ok(its.size > 300, `Only ${its.size} schemas were found.`);
      assert.deepEqual(ours, its);
    });
  }
});

/** With a function that gives all schemas by name, and those that are built for each revision. */
function withExportOfAll(text: string): string {
  const names = [...text.matchAll(/^const (\w+Schema(?:\$\d+)?) = /gm)].map(([, name]) => name);
  const revisions = ['buildSchemas2025', 'buildSchemas2026'].map(name => `${name}: ${name}(),`);
  const all = names.map(name => `"${name}": ${name},`);
  return `${text}\nexport function everySchema() {\n  return { ${[...all, ...revisions].join(' ')} };\n}\n`;
}

/** What each schema takes, as JSON Schema, by its name and what it stands in. */
async function schemasOf(t: TestContext, contents: string, resolveDir: string) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const file = join(tempFolder(t), 'schemas.mjs');
  writeFileSync(file, outputFiles[0]?.contents ?? '');
  const { everySchema } = await import(pathToFileURL(file).href);
  const found = new Map<string, unknown>();
  visit('', everySchema());
  return found;

  function visit(path: string, value: unknown): void {
    if (value instanceof Object && '_zod' in value) {
      const schema = z.toJSONSchema(value as z.ZodType, { unrepresentable: 'any', io: 'input' });
      found.set(path, schema);
    } else if (value instanceof Object) {
      for (const [name, inside] of Object.entries(value)) {
        visit(`${path}/${name}`, inside);
      }
    }
  }
}
