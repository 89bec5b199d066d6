import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Server } from '../../../src/extension/servers/server.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { hasTool, invoke, invokeForText, offer } from '../support/agents.ts';
import { personForEachTest } from '../support/person.ts';
import { node, Recorder, setServers } from '../support/recorder.ts';
import { startWith } from '../support/shownRows.ts';

const support = join(import.meta.dirname, '..', '..', 'support');

interface Sent {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly requestId?: unknown;
    readonly _meta?: { readonly progressToken?: unknown };
  };
}

describe('during a call, agents', () => {
  const person = personForEachTest();

  it('hear that there is another tool, and can call it', async () => {
    await offered('growing', 'legacyServer.ts', 'grow');
    await invoke('growing', 'grow');
    await eventually(async () => assert.equal(await invokeForText('growing', 'grown'), ''));
  });

  it('have a person answer the server, which tells them how far it is', async () => {
    const { recorder } = await offered('asking', 'askingServer.ts', 'ask');
    const answer = invokeForText('asking', 'ask', { rounds: [['name'], []] });
    let isOver = false;
    void answer.finally(() => (isOver = true));
    await eventually(async () => {
      // The editor tells of the question first, and asks when that is taken up.
      await vscode.commands.executeCommand('notification.acceptPrimaryAction');
      await vscode.commands.executeCommand('quickInput.accept');
      assert.ok(isOver);
    });
    const [[told]] = JSON.parse(await answer);
    assert.equal(told.action, 'accept');
    assert.notEqual(calls(recorder)[0]?.params?._meta?.progressToken, undefined);
  });

  it('cancel it, which its server hears, and leave nothing that runs', async () => {
    const { recorder, server } = await offered('asking-2', 'askingServer.ts', 'ask');
    const { token, cancel } = cancellation();
    const answer = invoke('asking-2', 'ask', { rounds: [['for long']] }, token);
    await recorder.until(() => calls(recorder).length > 0);
    cancel();
    await assert.rejects(answer, /Cancel/);
    const [call] = calls(recorder);
    const isCancelled = ({ method, params }: Sent) =>
      method === 'notifications/cancelled' && params?.requestId === call?.id;
    await recorder.until(({ messages }) => (messages as Sent[]).some(isCancelled));
    assert.equal(await invokeForText('asking-2', 'ask', { rounds: [] }), '[]');
    await offer(server, 'withdrawFromAgents');
    await vscode.commands.executeCommand('mcpRoots.stopServer', { kind: 'server', server });
    await recorder.ended();
  });

  async function offered(
    name: string,
    program: string,
    tool: string,
  ): Promise<{ readonly recorder: Recorder; readonly server: Server }> {
    const recorder = new Recorder(name);
    const args = [join(support, program), JSON.stringify({ record: recorder.folder })];
    await setServers({ [name]: { command: node, args } });
    const server = await startWith(person(), name, 'api');
    await offer(server);
    await hasTool(name, tool);
    return { recorder, server };
  }
});

/** The calls that reached a server. */
function calls({ messages }: Recorder): readonly Sent[] {
  return (messages as Sent[]).filter(({ method }) => method === 'tools/call');
}

function cancellation() {
  const source = new vscode.CancellationTokenSource();
  return { token: source.token, cancel: () => source.cancel() };
}
