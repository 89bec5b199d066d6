import type { McpRootsApi, McpRootsExtension } from '../../../media/api/mcp-roots.d.ts';
import { type ApiWindow, requestRoots } from './requestRoots.ts';

/** What the extension exports: its API, which loads its code with the first request. */
export function rootsApi(window: ApiWindow): McpRootsExtension {
  const api: McpRootsApi = {
    requestRoots: async request => {
      return requestRoots(request, window);
    },
  };
  return {
    getApi(version: number) {
      if (version !== 1) {
        throw new Error(`MCP Roots has API version 1, not ${version}.`);
      }
      return api;
    },
  };
}
