/** The most levels in a message: more than a sensible message has, and safe for recursion. */
const deepest = 1000;
/** The most objects and lists in a message: parsing so many takes about 50 ms. */
const mostBrackets = 250_000;

/** The refusal of a message that is too complex, in finished sentences. */
export const tooComplex =
  'This message has too many levels or too many parts. Send less data in one message.';

/**
 * Whether a JSON text has too many levels, or too many lists and objects. Many levels overflow the
 * stack of a recursive reader. Many lists cost far more to parse than the text's length suggests.
 */
export function isTooComplex(json: string): boolean {
  if (isHarmless(json)) {
    return false;
  }
  let [depth, brackets, isInString] = [0, 0, false];
  for (let index = 0; index < json.length; index++) {
    switch (json.charCodeAt(index)) {
      case 0x0a: // \n
      case 0x0d: // \r
        // A JSON string holds no line end. In an event stream, a quote in a comment line must not
        // make the JSON in the next line look like a string.
        isInString = false;
        break;
      case 0x22: // "
        isInString = !isInString;
        break;
      case 0x5c: // \
        index += isInString && /["\\]/.test(json[index + 1] ?? '') ? 1 : 0;
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += isInString ? 0 : 1;
        brackets += isInString ? 0 : 1;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= isInString ? 0 : 1;
        break;
      default:
    }
    if (depth > deepest || brackets > mostBrackets) {
      return true;
    }
  }
  return false;
}

/** Whether a text has too few brackets to exceed a limit. Nearly every message has so few. */
function isHarmless(json: string): boolean {
  let brackets = 0;
  for (const opening of ['{', '[']) {
    let at = json.indexOf(opening);
    while (at !== -1 && brackets <= deepest) {
      brackets += 1;
      at = json.indexOf(opening, at + 1);
    }
  }
  return brackets <= deepest;
}
