/** The version in `package.json`. A test compares both. Reading the file would bundle all of it. */
export const version = '0.1.0';
