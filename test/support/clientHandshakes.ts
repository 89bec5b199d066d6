/** How a client opens. */
export interface ClientHandshake {
  /** The id of the request with which it tries the later revisions first; left out: it does not. */
  readonly probeId?: string | number;
  readonly revision: string;
  readonly capabilities: object;
  readonly clientInfo: {
    readonly name: string;
    readonly title?: string;
    readonly version: string;
    readonly description?: string;
    readonly websiteUrl?: string;
  };
  /** The roots that it answers with, declared or not, when it works in a folder of that URI. */
  readonly roots: (uri: string) => readonly object[];
  /** With what it asks for the tools. */
  readonly listParams?: object;
}

const elicitation = { form: {}, url: {} };
const roots = { listChanged: true };
const listParams = { _meta: { progressToken: 0 } };
const codexInfo = { name: 'codex-mcp-client', title: 'Codex', version: '0.169.0' };

/** What the clients open with, as it was recorded of them. */
export const handshakes: Readonly<Record<string, ClientHandshake>> = {
  'Claude Code 2.1.330': {
    probeId: 'server-discover-probe-1',
    revision: '2025-11-25',
    capabilities: { roots, elicitation },
    clientInfo: {
      name: 'claude-code',
      title: 'Claude Code',
      version: '2.1.330',
      description: "Anthropic's agentic coding tool",
      websiteUrl: 'https://claude.com/claude-code',
    },
    roots: uri => [{ uri }],
  },
  'Codex 0.169.0': {
    revision: '2025-06-18',
    capabilities: { experimental: { 'codex/auth-change': {} }, elicitation },
    clientInfo: codexInfo,
    roots: () => [],
    listParams,
  },
  'the listing of Codex 0.169.0': {
    revision: '2025-06-18',
    capabilities: { elicitation },
    clientInfo: codexInfo,
    roots: () => [],
    listParams,
  },
  'Copilot CLI 1.0.102': {
    probeId: 0,
    revision: '2025-11-25',
    capabilities: { sampling: {}, elicitation },
    clientInfo: { name: 'copilot-cli', version: '1.0.102' },
    roots: () => [],
    listParams,
  },
  'Gemini CLI 0.61.0': {
    revision: '2025-06-18',
    capabilities: { roots },
    clientInfo: { name: 'gemini-cli-mcp-client', version: '0.61.0' },
    roots: uri => [{ uri, name: 'p' }],
    listParams: {},
  },
  'the listing of Gemini CLI 0.61.0': {
    revision: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'mcp-test-client', version: '0.0.1' },
    roots: () => [],
  },
};

/** The request with which the client tries the later revisions; none: it does not. */
export function probesOf({ probeId, clientInfo, capabilities }: ClientHandshake) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return probeId === undefined
    ? []
    : [{ id: probeId, method: 'server/discover', params: { _meta } }];
}
