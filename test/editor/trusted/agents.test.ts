import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Server } from '../../../src/extension/servers/server.ts';
import { allGone, isAlive } from '../../support/processes.ts';
import { eventually } from '../../ui/support/eventually.ts';
import {
  connectorsEnded,
  hasTool,
  invokeForText,
  offer,
  prefixOf,
  toolsOf,
} from '../support/agents.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder, setServers } from '../support/recorder.ts';
import { detailsOf, rowOf, startWith } from '../support/shownRows.ts';

describe('the agents of the editor', () => {
  const person = personForEachTest();
  let tests = 0;
  let name: string;
  let offered: Recorder;
  let server: Server;

  beforeEach(async () => {
    // The oldest supported editor still lists the tools of a server that is gone.
    tests += 1;
    name = `offered-${tests}`;
    offered = new Recorder(name);
    const kept = new Recorder('kept');
    await setServers({ [name]: offered.definition(), kept: kept.definition() });
    server = await startWith(person(), name, 'api');
    await startWith(person(), 'kept', 'api');
    await offer(server);
    await hasTool(name, 'ask');
  });

  it('have the tools of an offered server only', async () => {
    const names = vscode.lm.tools.map(tool => tool.name);
    assert.deepEqual(
      names.filter(one => /offered|kept/.test(one)).sort(),
      ['answers', 'ask', 'die', 'flood', 'hang', 'nosy'].map(tool => prefixOf(name) + tool),
    );
    assert.equal(rowOf(server)[0], 'server.running.offered');
    assert.match(detailsOf(server).join('\n'), / "offered-1 \(MCP Roots\)"$/m);
  });

  it('have only the tools that the user leaves on, within a second', async function () {
    // VS Code 1.105 ignores a change of tools that the server has not declared in its handshake.
    if (vscode.version.startsWith('1.105.')) {
      this.skip();
    }
    const all = ['answers', 'ask', 'die', 'flood', 'hang', 'nosy'];
    const times: number[] = [];
    const become = async (tools: readonly string[]) => {
      const start = performance.now();
      await eventually(() => assert.deepEqual(toolsOf(name).sort(), tools));
      times.push(performance.now() - start);
    };
    const run = (command: string) =>
      vscode.commands.executeCommand(`mcpRoots.${command}`, { kind: 'tools', server });
    await server.chooseTools({ off: ['Ask', 'nosy'] });
    await become(['answers', 'die', 'flood', 'hang']);
    await assert.rejects(call('ask'), /turned off|was not contributed/);
    await run('turnOnTools');
    await become(all);
    await run('turnOffTools');
    await become([]);
    await server.chooseTools({ on: all }, 'another');
    await server.chooseTools({ on: all });
    await server.chooseTools({ off: ['hang'] }, vscode.env.appName);
    await become(all.filter(tool => tool !== 'hang'));
    assert.equal((await server.listTools()).length, all.length);
    // The other times include the load of a busy machine.
    assert.ok(Math.min(...times) < 1000, `${times} ms`);
  });

  it('call tools in their own process, which gets the visible roots', async () => {
    const [root] = JSON.parse(await call('ask'));
    assert.equal(root.name, 'api');
    assert.equal(offered.pids.length, 2);
    assert.deepEqual([...new Set(offered.answers.flat())], ['api']);
    assert.deepEqual(questions(), []);
  });

  it('lose a withdrawn server and its running calls', async () => {
    await call('ask');
    const [own, theirs] = offered.pids;
    assert.ok(own !== undefined && theirs !== undefined);
    const hanging = call('hang').catch(String);
    await offered.until(({ bytes }) => bytes.includes('"hang"'));
    await offer(server, 'withdrawFromAgents');
    assert.match(await hanging, /is not offered to .*\. Check|Cancel/);
    await allGone([theirs]);
    await connectorsEnded(name);
    assert.ok(isAlive(own));
    await assert.rejects(call('ask'), /is not offered to|was not contributed|Cancel/);
    assert.doesNotMatch(detailsOf(server).join('\n'), /Offered to agents/);
    assert.deepEqual(questions(), []);
  });

  function call(tool: string): Promise<string> {
    return invokeForText(name, tool);
  }

  /** The questions about clients. */
  function questions(): readonly string[] {
    return person().seen.flatMap(({ text }) => (/^Allow .+ to use /.test(text) ? [text] : []));
  }
});
