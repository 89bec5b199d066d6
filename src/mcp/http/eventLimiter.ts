const lineFeed = 10;
const carriageReturn = 13;

/**
 * Lets server-sent events through, each as a whole; one over the limit is dropped while it comes in,
 * told of once, and the events after it arrive as if it had not been there.
 */
export function eventLimiter(
  limit: number,
  onTooLong: () => void,
): TransformStream<Uint8Array, Uint8Array> {
  let held: Uint8Array[] = [];
  let length = 0;
  const find = boundaryFinder();
  const hold = (part: Uint8Array, pass: (part: Uint8Array) => void, isEnd: boolean) => {
    const wasShort = length <= limit;
    length += part.length;
    if (length <= limit) {
      held.push(part);
    } else if (wasShort) {
      held = [];
      onTooLong();
    }
    if (isEnd) {
      held.forEach(pass);
      held = [];
      length = 0;
    }
  };
  return new TransformStream({
    transform(chunk, controller) {
      const pass = (part: Uint8Array) => controller.enqueue(part);
      let start = 0;
      for (let end = find(chunk, start); end !== -1; end = find(chunk, start)) {
        hold(chunk.subarray(start, end), pass, true);
        start = end;
      }
      hold(chunk.subarray(start), pass, false);
    },
  });
}

/** Finds the end of the next event at or after an index: an empty line, however lines end. */
function boundaryFinder(): (chunk: Uint8Array, from: number) => number {
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
    return -1;
  };
}
