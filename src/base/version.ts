/** The version in `package.json`, as a test checks. An import would bundle that whole file. */
export const version = '0.1.0';
