interface Corkable {
  readonly writableCorked: number;
  cork(): void;
  uncork(): void;
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
}

/** Joins all writes of one turn into one call, because the call costs more than a small message. */
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
