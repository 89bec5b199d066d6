import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '../../../../src/domain/gateway/clientFiles.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { withEntries } from '../../../../src/extension/commands/clientFileText.ts';
import { said } from '../../../support/texts.ts';

const files = { name: 'files', args: ['/c.cjs', '--server', 'files'] };
const web = { name: 'web', args: ['/c.cjs', '--server', 'web'] };
const value = JSON.stringify({ command: 'node', args: files.args });

function written(client: Client, before: string, ...entries: readonly (typeof files)[]) {
  const after = withEntries(client, before, entries.length > 0 ? entries : [files]);
  ok(after.ok);
  return after;
}

function problem(client: Client, before: string): string {
  const after = withEntries(client, before, [files]);
  return after.ok ? after.text : said(inEnglish(after.problem));
}

describe('entries in a client’s JSON', () => {
  test('create a missing file', () => {
    deepEqual(JSON.parse(written('cursor', '').text), {
      mcpServers: { files: JSON.parse(value) },
    });
    deepEqual(Object.keys(JSON.parse(written('zed', '').text)), ['context_servers']);
  });

  test('stand beside other servers, which keep their text and comments', () => {
    const before = `// Mine.
{
\t"theme": "dark", // Not bright.
\t"mcpServers": {
\t\t/* The first. */
\t\t"mine": {
\t\t\t"command": "mine" // By hand.
\t\t},
\t},
}
`;
    const { text, replaced } = written('gemini-cli', before, files, web);
    equal(
      text,
      before.replace(
        '\t\t},',
        `\t\t},${[files, web]
          .map(
            ({ name, args: [path, option] }) =>
              `\n\t\t"${name}": {\n\t\t\t"command": "node",\n\t\t\t"args": [\n\t\t\t\t"${path}",\n\t\t\t\t"${option}",\n\t\t\t\t"${name}"\n\t\t\t]\n\t\t}`,
          )
          .join(',')},`,
      ),
    );
    deepEqual(replaced, []);
  });

  test('replace entries of the same name, and report those that differ', () => {
    const before = '{ "mcpServers": { "files": { "command": "npx" }, "web": 1 } }';
    const { text, replaced } = written('cursor', before);
    deepEqual(
      [JSON.parse(text).mcpServers, replaced],
      [{ files: JSON.parse(value), web: 1 }, ['files']],
    );
    const same = `\ufeff{ "mcpServers": { "files": ${value} } }`;
    deepEqual(written('cursor', same), { ok: true, text: same, replaced: [] });
  });

  test('keep a byte order mark and line breaks', () => {
    const { text } = written('cursor', '\ufeff{\r\n    "mcpServers": {}\r\n}\r\n');
    ok(text.startsWith('\ufeff{\r\n    "mcpServers": {'), text);
    equal(text.replaceAll('\r\n', '').includes('\n'), false);
  });

  test('are refused if the file is broken or has another form', () => {
    const otherForm = (key: string) => `clientFileText.inJson.problem(${key})`;
    match(problem('cursor', '{ "mcpServers": '), /\(1, 17, /);
    equal(problem('zed', '[]'), otherForm('context_servers'));
    equal(problem('cursor', '{ "mcpServers": [] }'), otherForm('mcpServers'));
  });
});

describe('entries in Codex’ TOML', () => {
  const table = '[mcp_servers.files]\ncommand = "node"\nargs = ["/c.cjs", "--server", "files"]\n';

  test('are tables at its end', () => {
    equal(written('codex', '').text, table);
    const before = '# [mcp_servers.files]\nmodel = "o"\n\n[mcp_servers."my own".env]\nA = "1"';
    equal(written('codex', before).text, `${before}\n\n${table}`);
    equal(written('codex', before, files, web).text.split('[mcp_servers.').length, 5);
  });

  test('are added once', () => {
    const before = `model = "o"\n${table}`;
    equal(written('codex', before).text, before);
    ok(written('codex', before, files, web).text.startsWith(`${before}\n[mcp_servers.web]\n`));
  });

  test('are refused if the file has an entry of that name', () => {
    for (const before of [
      '[mcp_servers.files]\ncommand = "npx"\n',
      '[mcp_servers."files".env]\nA = "1"\n',
      'mcp_servers = { files = { command = "npx" } }\n',
      '[mcp_servers]\nfiles.command = "npx"\n',
      '[ mcp_servers . files ]\n',
    ]) {
      equal(problem('codex', before), 'clientFileText.inTheWay()', before);
    }
  });
});
