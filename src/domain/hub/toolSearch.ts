/** A tool in a list to be searched; a title or description that is no text is passed over. */
export interface SearchedTool {
  readonly serverName: string;
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
}

/**
 * The tools in which every word of the query occurs, in any case: in the name of the server, or in
 * the name, title or description of the tool. Those whose name has more of the words come first,
 * else they stay in their order. A query without words finds all.
 */
export function searchTools<T extends SearchedTool>(tools: readonly T[], query: string): T[] {
  const words = [...new Set(query.toLowerCase().split(/\s+/))].filter(word => word !== '');
  return tools
    .filter(tool => hasAll(tool, words))
    .map(tool => ({ tool, hits: nameHits(tool, words) }))
    .sort((one, other) => other.hits - one.hits)
    .map(({ tool }) => tool);
}

function hasAll(tool: SearchedTool, words: readonly string[]): boolean {
  const texts = [tool.serverName, tool.name, tool.title, tool.description]
    .filter(text => typeof text === 'string')
    .map(text => text.toLowerCase());
  return words.every(word => texts.some(text => text.includes(word)));
}

function nameHits({ name }: SearchedTool, words: readonly string[]): number {
  const text = name.toLowerCase();
  return words.filter(word => text.includes(word)).length;
}
