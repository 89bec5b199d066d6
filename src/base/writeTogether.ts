interface Corkable {
  readonly writableCorked: number;
  cork(): void;
  uncork(): void;
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
}

/** Joins all writes of one turn into one call: the call is most of a small message's cost. */
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
