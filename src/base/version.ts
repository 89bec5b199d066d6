/** The version in `package.json`, as a test checks: reading that file here would bundle it all. */
export const version = '0.1.0';
