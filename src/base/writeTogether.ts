interface Corkable {
  readonly writableCorked: number;
  cork(): void;
  uncork(): void;
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
}

/** Writes like `stream.write`. Joins a turn's writes, because each system call is costly. */
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
