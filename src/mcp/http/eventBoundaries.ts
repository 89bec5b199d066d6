const lineFeed = 10;
const carriageReturn = 13;

/**
 * Finds, in the chunks of one stream of server-sent events, where the next event at or after an index
 * ends: behind an empty line, however lines end. `undefined`: not in this chunk.
 */
export function boundaryFinder(): (chunk: Uint8Array, from: number) => number | undefined {
  let isLineEmpty = true;
  let last = 0;
  return (chunk, from) => {
    for (let index = from; index < chunk.length; index++) {
      const byte = chunk[index];
      const isSecondHalf = byte === lineFeed && last === carriageReturn;
      last = byte ?? 0;
      if (isSecondHalf) {
        continue;
      }
      const isEnd = byte === lineFeed || byte === carriageReturn;
      if (isEnd && isLineEmpty) {
        return index + 1;
      }
      isLineEmpty = isEnd;
    }
    return undefined;
  };
}
