import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '../../../../src/domain/gateway/clientFiles.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { withEntries } from '../../../../src/extension/gateway/clientFileText.ts';

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
  return after.ok ? after.text : inEnglish(after.problem);
}

describe('entries in a client’s JSON', () => {
  test('make a file that is not there yet', () => {
    deepEqual(JSON.parse(written('cursor', '').text), {
      mcpServers: { files: JSON.parse(value) },
    });
    deepEqual(Object.keys(JSON.parse(written('zed', '').text)), ['context_servers']);
  });

  test('stand beside other servers, which stay as they are with their comments', () => {
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

  test('take the place of others of their names, which is told, and of the same silently', () => {
    const before = '{ "mcpServers": { "files": { "command": "npx" }, "web": 1 } }';
    const { text, replaced } = written('cursor', before);
    deepEqual(
      [JSON.parse(text).mcpServers, replaced],
      [{ files: JSON.parse(value), web: 1 }, ['files']],
    );
    const same = `\ufeff{ "mcpServers": { "files": ${value} } }`;
    deepEqual(written('cursor', same), { ok: true, text: same, replaced: [] });
  });

  test('keep a byte order mark and the ends of lines', () => {
    const { text } = written('cursor', '\ufeff{\r\n    "mcpServers": {}\r\n}\r\n');
    ok(text.startsWith('\ufeff{\r\n    "mcpServers": {'), text);
    equal(text.replaceAll('\r\n', '').includes('\n'), false);
  });

  test('are not put into what is broken or has another form', () => {
    equal(
      problem('cursor', '{ "mcpServers": '),
      'It is broken at line 1, column 17: a value is missing.',
    );
    equal(problem('zed', '[]'), 'It has another form than "context_servers": { … }.');
    equal(
      problem('cursor', '{ "mcpServers": [] }'),
      'It has another form than "mcpServers": { … }.',
    );
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

  test('that are there already are not added again', () => {
    const before = `model = "o"\n${table}`;
    equal(written('codex', before).text, before);
    ok(written('codex', before, files, web).text.startsWith(`${before}\n[mcp_servers.web]\n`));
  });

  for (const before of [
    '[mcp_servers.files]\ncommand = "npx"\n',
    '[mcp_servers."files".env]\nA = "1"\n',
    'mcp_servers = { files = { command = "npx" } }\n',
    '[mcp_servers]\nfiles.command = "npx"\n',
    '[ mcp_servers . files ]\n',
  ]) {
    test(`are not added where they may be in the way of ${JSON.stringify(before)}`, () => {
      equal(
        problem('codex', before),
        'It has a server of that name already, or writes its servers in a form that is not understood here.',
      );
    });
  }
});
