interface Corkable {
  readonly writableCorked: number;
  cork(): void;
  uncork(): void;
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
}

/** Writes as `stream.write` does. Joins a turn's writes into one system call, which is costly. */
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
