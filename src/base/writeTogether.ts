interface Corkable {
  readonly writableCorked: number;
  cork(): void;
  uncork(): void;
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
}

/** Like `stream.write`, but joins the writes of an event loop turn: system calls are costly. */
export function writeTogether(
  stream: Corkable,
  ...written: Parameters<Corkable['write']>
): boolean {
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  return stream.write(...written);
}
