import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as vscode from 'vscode';
import { hasTool, invoke, offer, toolsOf } from '../support/agents.ts';
import { uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { node, setServers } from '../support/recorder.ts';
import { startWith } from '../support/shownRows.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const packages = join(root, 'node_modules', '@modelcontextprotocol');

/** What was called, and how. */
type Call = readonly [tool: string, input?: Readonly<Record<string, unknown>>];

interface Content {
  readonly type: string;
  readonly text?: string;
  readonly mimeType?: string;
  readonly data?: string;
  readonly uri?: string;
  readonly resource?: { readonly uri: string; readonly mimeType?: string };
  readonly annotations?: { readonly audience?: readonly string[] };
}

/** Its class came after the oldest supported editor. */
interface DataPart {
  readonly data: Uint8Array;
  readonly mimeType: string;
}

describe('what agents call answers as when the server is called directly:', () => {
  // Before the person leaves. The bundled server stays when the others go.
  afterEach(async () => {
    for (const name of ['note.txt', 'large.txt']) {
      rmSync(file(name), { force: true });
    }
    person().will('Revoke');
    await vscode.commands.executeCommand('mcpRoots.revokeAll');
  });

  const person = personForEachTest();
  const file = (name: string) => join(uriOf('api').fsPath, name);

  it('server-everything, in texts, errors, structure, images and links', async () => {
    const args = [join(packages, 'server-everything', 'dist', 'index.js'), 'stdio'];
    await setServers({ everything: { command: node, args } });
    await answersAlike('everything', 'everything', args, [
      ['echo', { message: 'Grüße, \u2028 "quoted"' }],
      ['get-sum', { a: 1, b: 'x' }],
      ['get-structured-content', { location: 'Chicago' }],
      ['get-tiny-image'],
      ['get-annotated-message', { messageType: 'error', includeImage: true }],
      ['get-resource-links', { count: 3 }],
      ['get-resource-reference', { resourceType: 'Blob', resourceId: 1 }],
      ['get-roots-list'],
    ]);
  });

  it('server-filesystem, in its folders alone, and with an answer of 1 MB', async () => {
    const args = [join(packages, 'server-filesystem', 'dist', 'index.js')];
    writeFileSync(file('note.txt'), 'in api');
    // It says each text twice.
    writeFileSync(file('large.txt'), '0123456789'.repeat(50_000));
    await setServers({ files: { command: node, args } });
    await answersAlike('files', 'files', args, [
      ['read_text_file', { path: file('note.txt') }],
      ['read_text_file', { path: join(uriOf('web').fsPath, 'note.txt') }],
      ['list_allowed_directories'],
      ['read_text_file', { path: file('large.txt') }],
    ]);
  });

  it('the bundled server', async () => {
    const args = [join(root, 'dist', 'server.js')];
    writeFileSync(file('note.txt'), 'in api');
    // Of two servers one is asked for.
    await setServers({ other: { command: node } });
    await answersAlike('MCP Roots Server', 'mcp-roots', args, [
      ['get-roots'],
      ['read-file', { path: 'note.txt' }],
      ['read-file', { path: join(uriOf('web').fsPath, 'note.txt') }],
      ['list-directory', { path: '.' }],
    ]);
  });

  /** @param name by which agents know the server; it is called directly with the same roots. */
  async function answersAlike(
    label: string,
    name: string,
    args: readonly string[],
    calls: readonly Call[],
  ): Promise<void> {
    await offer(await startWith(person(), label, 'api'));
    await hasTool(name, calls[0]?.[0] ?? '');
    const client = await directClient(args);
    try {
      const { tools } = await client.listTools();
      // It has more for clients that can do more.
      const missing = tools.filter(tool => !toolsOf(name).includes(tool.name));
      assert.deepEqual(missing, []);
      for (const [tool, input = {}] of calls) {
        const got = (await invoke(name, tool, input)).map(shown);
        const answer = await client.callTool({ name: tool, arguments: input });
        assert.deepEqual(got, passedOn(answer), `${tool} ${JSON.stringify(input)}`);
      }
    } finally {
      await client.close();
    }
  }
});

/** A client without the editor and the gateway. */
async function directClient(args: readonly string[]): Promise<Client> {
  const capabilities = { roots: { listChanged: true } };
  const client = new Client(
    { name: 'direct', version: '1' },
    { capabilities, versionNegotiation: { mode: 'legacy' } },
  );
  const roots = [{ uri: uriOf('api').toString(), name: 'api' }];
  client.setRequestHandler('roots/list', () => ({ roots }));
  await client.connect(new StdioClientTransport({ command: node, args: [...args] }));
  return client;
}

/** What VS Code hands over of an answer: its structure, or else what is meant for models. */
function passedOn(answer: object): unknown[] {
  const { structuredContent, content = [] } = answer as {
    readonly structuredContent?: object;
    readonly content?: readonly Content[];
  };
  if (structuredContent) {
    return [JSON.stringify(structuredContent)];
  }
  const isForModels = ({ annotations }: Content) =>
    annotations?.audience?.includes('assistant') !== false;
  return content.filter(isForModels).map(({ text, data, mimeType, uri, resource }) => {
    if (text !== undefined) {
      return text;
    }
    return data === undefined
      ? { uri: uri ?? resource?.uri, mimeType: mimeType ?? resource?.mimeType }
      : { data, mimeType };
  });
}

/** A part of such an answer in the same form. */
function shown(part: unknown): unknown {
  if (part instanceof vscode.LanguageModelTextPart) {
    return part.value;
  }
  const { data, mimeType } = part as DataPart;
  if (mimeType !== 'application/vnd.code.resource-link') {
    return { data: Buffer.from(data).toString('base64'), mimeType };
  }
  // Its own address of the resource names the server and holds the address that the server gave.
  const link = JSON.parse(Buffer.from(data).toString());
  const [, scheme, ...rest] = link.uri.path.split('/');
  return { uri: `${scheme}://${rest.join('/')}`, mimeType: link.underlyingMimeType };
}
