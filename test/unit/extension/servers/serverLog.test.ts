import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/emitter.ts';
import { ServerLog } from '../../../../src/extension/servers/serverLog.ts';
import type { ServerConnection } from '../../../../src/mcp/link/connection.ts';
import type { ServerLogEntry } from '../../../../src/mcp/link/serverMessages.ts';
import type { SessionEvents } from '../../../../src/mcp/link/session.ts';

describe('the log of a server', () => {
  /** A log that shows this level, of a connection that says what the test says. */
  function following(logLevel: vscode.LogLevel) {
    const didChangeLogLevel = new vscode.EventEmitter<vscode.LogLevel>();
    const didLog = new Emitter<ServerLogEntry>();
    const written: string[] = [];
    const asked: string[] = [];
    const write = (level: string) => (line: string) => void written.push(`${level}: ${line}`);
    const channel = {
      logLevel,
      onDidChangeLogLevel: didChangeLogLevel.event,
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    } as unknown as vscode.LogOutputChannel;
    const silent = () => ({ dispose() {} });
    const didBegin = new Emitter<SessionEvents>();
    const connection = {
      onDidChangeState: silent,
      onDidBegin: didBegin.event,
      redacted: (line: string) => line,
      setLogLevel: (level: string) => void asked.push(level),
    } as unknown as ServerConnection;
    const subscription = new ServerLog(() => channel).follow(connection);
    const heard: Partial<SessionEvents> = { onDidPass: silent, onDidLog: didLog.event };
    didBegin.fire(heard as SessionEvents);
    return { asked, written, didLog, didChangeLogLevel, subscription };
  }

  it('asks the server for the shown level, and follows later changes', () => {
    const { asked, didChangeLogLevel, subscription } = following(vscode.LogLevel.Info);
    for (const level of ['Debug', 'Trace', 'Warning', 'Off'] as const) {
      didChangeLogLevel.fire(vscode.LogLevel[level]);
    }
    assert.deepEqual(asked, ['info', 'debug', 'debug', 'info', 'info']);
    subscription.dispose();
    didChangeLogLevel.fire(vscode.LogLevel.Debug);
    assert.equal(asked.length, 5);
    assert.deepEqual(following(vscode.LogLevel.Debug).asked, ['debug']);
  });

  it('writes messages of the server at their level, in one printable line', () => {
    const { written, didLog } = following(vscode.LogLevel.Info);
    didLog.fire({ level: 'notice', text: 'ready' });
    didLog.fire({ level: 'warning', logger: 'disk', text: 'almost\nfull' });
    didLog.fire({ level: 'emergency', text: 'gone' });
    assert.deepEqual(written, ['info: ready', 'warn: [disk] almost\\u000afull', 'error: gone']);
  });
});
