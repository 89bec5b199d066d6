import type { TestContext } from 'node:test';
import type { HttpStart } from '../../src/mcp/http/httpStart.ts';
import {
  type AuthorizationOptions,
  authorizationServer,
  protectedServer,
} from './authorizationServer.ts';
import type { Interfere } from './rawHttpServer.ts';
import { recordingConnection } from './recordingConnection.ts';

/**
 * A server that asks for a sign-in, and a browser that goes where it is sent.
 *
 * @param answer how the server answers who is signed in, where not as it should.
 */
export async function signingIn(
  t: TestContext,
  options: AuthorizationOptions = {},
  answer?: Interfere,
) {
  const authorization = await authorizationServer(t, options);
  const server = await protectedServer(t, authorization, answer);
  const recording = recordingConnection(t);
  const kept = new Map<string, string>();
  const opened: string[] = [];
  const pages: string[] = [];
  const browser = {
    /** What it does with a page. */
    visit: async (url: string): Promise<boolean> => {
      pages.push(await (await fetch(url)).text());
      return true;
    },
  };
  const openBrowser = (url: string) => {
    opened.push(url);
    return browser.visit(url);
  };
  const store = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: string | undefined) => {
      if (value === undefined) {
        kept.delete(key);
      } else {
        kept.set(key, value);
      }
    },
  };
  const target: HttpStart = {
    url: server.url,
    headers: { 'x-key': 'k3y-value' },
    authorization: { openBrowser, store },
    isInteractive: true,
  };
  return { ...recording, authorization, server, kept, opened, pages, browser, store, target };
}
