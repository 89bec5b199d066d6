/**
 * Whether a text is data in Base64 that could be taken for a path, since it may begin with a slash.
 * Every image in JPEG does: `/9j/4AAQ…`. Nothing of it climbs, as there is no dot among its signs.
 */
export function isEncodedData(text: string): boolean {
  if (text.length < shortest) {
    return false;
  }
  const start = text.slice(0, 200);
  const data = /^data:[^,\s]{0,150},/i.exec(start)?.[0].length ?? 0;
  return (data > 0 || beginsAsData.test(start)) && isBase64(data > 0 ? text.slice(data) : text);
}

const shortest = 16;

/** JPEG; else so long and mixed a first name that no folder of a system is called so. */
const beginsAsData =
  /^(?:\/9j\/[\s\S]{12}|\/{0,2}(?=[^/]*\d)(?=[^/]*[A-Z])(?=[^/]*[a-z])[A-Za-z\d+]{20}[\s\S]{170})/;

function isBase64(text: string): boolean {
  return text !== '' && /^[A-Za-z\d+/]*={0,2}$/.test(text);
}
