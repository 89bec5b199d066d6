export type Json = Readonly<Record<string, unknown>>;
export type MessageId = string | number;

/** A JSON-RPC message, or a line of a gateway, as far as it is looked at. */
export type Message = Json & {
  readonly id?: MessageId;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: Json;
};

/** What a line says; nothing, when it is no object. */
export function messageIn(line: Buffer): Message {
  try {
    return Object(JSON.parse(line.toString()));
  } catch {
    return {};
  }
}

/** A message as a line. */
export function lineOf(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}
