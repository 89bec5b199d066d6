import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { authorizationServer, protectedServer } from '../../support/authorizationServer.ts';
import { atEnd } from '../../support/processes.ts';
import { personForEachTest } from '../support/person.ts';
import { setServers } from '../support/recorder.ts';
import { serverNamed } from '../support/shownRows.ts';
import { testEnds } from '../support/testEnds.ts';

describe('the page to sign in at', () => {
  const t = testEnds();
  const person = personForEachTest();
  const trustedDomains = vscode.Uri.from({ scheme: 'trustedDomains', path: '/Trusted Domains' });

  before(async function () {
    if (vscode.env.uiKind === vscode.UIKind.Desktop) {
      this.skip(); // It would open in the browser of the person who runs this.
    }
    // No test can answer the editor's question whether to open a page.
    await vscode.workspace.fs.writeFile(trustedDomains, Buffer.from('["*"]'));
  });

  it('opens in the browser with all parameters unchanged', async () => {
    const authorization = { url: '' };
    const audience = 'https://a.example/?x=1&y=2+3#part';
    const page = await pageThatRedirectsTo(authorization);
    const authorizationEndpoint = `${page.url}?audience=${encodeURIComponent(audience)}`;
    const server = await authorizationServer(t, { authorizationEndpoint });
    authorization.url = `${server.url}/authorize`;
    const remote = await protectedServer(t, server);
    await setServers({ protected: { type: 'http', url: remote.url } });
    person().will('protected', 'Choose Folders…', ['api'], 'Until the Window Closes');
    await vscode.commands.executeCommand('mcpRoots.startServer');
    assert.equal((await serverNamed('protected')).state.kind, 'running');
    assert.deepEqual(
      server.pages.map(query => [query.get('audience'), query.get('resource')]),
      [[audience, remote.url]],
    );
    const [query = ''] = page.queries;
    assert.match(query, /&redirect_uri=http%3A%2F%2F127\.0\.0\.1%3A\d+%2F/);
  });

  /**
   * The first page, which sends the browser on. A browser-based editor asks for pages at 127.0.0.1
   * and `localhost` elsewhere, through itself.
   */
  async function pageThatRedirectsTo(target: { readonly url: string }) {
    const queries: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      const [path, query] = url.split('?', 2);
      if (path !== '/authorize' || query === undefined) {
        response.writeHead(404).end();
        return;
      }
      queries.push(query);
      response.writeHead(302, { location: `${target.url}?${query}` }).end();
    });
    await new Promise<void>(resolve => server.listen(0, '::1', resolve));
    atEnd(t, () => void server.close().closeAllConnections());
    const { port } = server.address() as AddressInfo;
    return { url: `http://[::1]:${port}/authorize`, queries };
  }
});
