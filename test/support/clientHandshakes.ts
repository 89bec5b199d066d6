/** What a client opens with. */
export interface ClientHandshake {
  /** Whether it tries the later revisions first. */
  readonly probes: boolean;
  readonly revision: string;
  readonly capabilities: object;
  readonly name: string;
}

const elicitation = { form: {}, url: {} };

/** What the clients open with, as it was recorded of them. */
export const handshakes: Readonly<Record<string, ClientHandshake>> = {
  'Claude Code 2.1.328': {
    probes: true,
    revision: '2025-11-25',
    capabilities: { roots: { listChanged: true }, elicitation },
    name: 'claude-code',
  },
  'Codex 0.169.0': {
    probes: false,
    revision: '2025-06-18',
    capabilities: { elicitation },
    name: 'codex-mcp-client',
  },
  'Copilot CLI 1.0.102': {
    probes: true,
    revision: '2025-11-25',
    capabilities: { sampling: {}, elicitation },
    name: 'github-copilot-developer',
  },
  'Gemini CLI 0.61.0': {
    probes: false,
    revision: '2025-06-18',
    capabilities: { roots: { listChanged: true } },
    name: 'gemini-cli-mcp-client',
  },
};

/** The request with which a client of that name tries the later revisions. */
export function probe(name: string) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name, version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { id: 'p', method: 'server/discover', params: { _meta } };
}
