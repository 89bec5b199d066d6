/** Tells the SDK that this is no web page, whose requests CORS could refuse. */
export const CORS_IS_POSSIBLE = false;

/**
 * Stands in, in the bundle, for what the SDK loads by itself: a JSON Schema compiler of 150 KB. It
 * would only check results against the schemas of tools in a method that is not used here, since a
 * result that its server describes wrongly is to be seen all the same.
 */
export class DefaultJsonSchemaValidator {
  /** @throws always, so that a use of it is noticed. */
  getValidator(): never {
    throw new Error('The client has no JSON Schema validator.');
  }
}
