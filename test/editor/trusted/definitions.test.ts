import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { registerDefinitions } from '../../../src/extension/gateway/agents/definitions.ts';
import { PublishingWindow, publishable } from '../../support/publishing.ts';
import { replacing } from '../support/replacing.ts';

type Provider = vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition>;

describe('the definitions for the agents of the editor', () => {
  const replace = replacing();
  const never = new vscode.CancellationTokenSource().token;
  let providers: Provider[];
  let store: vscode.Disposable[];

  beforeEach(() => {
    providers = [];
    store = [];
    replace(vscode.lm, {
      registerMcpServerDefinitionProvider: (id: string, provider: Provider) => {
        assert.equal(id, 'mcpRoots.servers');
        providers.push(provider);
        return new vscode.Disposable(() => providers.splice(providers.indexOf(provider), 1));
      },
    });
  });
  afterEach(() => {
    for (const one of store) {
      one.dispose();
    }
  });

  /** The provider of a window with these servers. */
  function register(window: PublishingWindow, file = async () => '/stable/connect.js'): Provider {
    const place = { file, windowId: 'w1' };
    const silent = { ...console, error: () => {} };
    store.push(vscode.Disposable.from(registerDefinitions(window.published, place, silent)));
    assert.ok(providers[0]);
    return providers[0];
  }

  it('say how to start the connector, without secrets or variables', async () => {
    const provider = register(
      new PublishingWindow(publishable('My Files'), publishable('git', { isOffered: false })),
    );
    const definitions = (await provider.provideMcpServerDefinitions(never)) ?? [];
    assert.ok(definitions[0] instanceof vscode.McpStdioServerDefinition);
    const { label, command, args, env, cwd } = definitions[0];
    assert.deepEqual(
      { count: definitions.length, label, command, args, env, cwd },
      {
        count: 1,
        label: 'my-fil_gjxs7c (MCP Roots)',
        command: process.execPath,
        args: ['/stable/connect.js', '--server', 'my-fil_gjxs7c'],
        env: { ELECTRON_RUN_AS_NODE: '1', MCP_ROOTS_WINDOW: 'w1' },
        cwd: undefined,
      },
    );
    assert.ok(!JSON.stringify(definitions).includes('${'));
  });

  it('have a version that changes only when the server changes', async () => {
    const files = publishable('files');
    const window = new PublishingWindow(files);
    const provider = register(window);
    const version = async () => (await provider.provideMcpServerDefinitions(never))?.[0]?.version;
    const first = await version();
    window.now({ ...files });
    assert.equal(await version(), first);
    window.now({ ...files, identity: 'b2' });
    assert.notEqual(await version(), first);
  });

  it('announce changes of the servers, and are empty without a connector', async () => {
    const files = publishable('files');
    const window = new PublishingWindow(files);
    const provider = register(window, () => Promise.reject(new Error('no space')));
    let changes = 0;
    provider.onDidChangeMcpServerDefinitions?.(() => (changes += 1));
    window.now({ ...files });
    assert.equal(changes, 0);
    window.now();
    assert.equal(changes, 1);
    assert.deepEqual(await provider.provideMcpServerDefinitions(never), []);
  });

  it('resolve unchanged or fail with the reason', () => {
    const files = publishable('files');
    const window = new PublishingWindow(files);
    const provider = register(window);
    const definition = new vscode.McpStdioServerDefinition('files (MCP Roots)', 'node');
    const resolve = () => provider.resolveMcpServerDefinition?.(definition, never);
    assert.equal(resolve(), definition);
    window.now({ ...files, isOffered: false });
    assert.throws(resolve, { message: /^"files" is not offered to agents\./ });
    window.now();
    assert.throws(resolve, /no server "files \(MCP Roots\)"/);
  });

  it('end with the window', () => {
    register(new PublishingWindow(publishable('files')));
    store.pop()?.dispose();
    assert.deepEqual(providers, []);
  });
});
