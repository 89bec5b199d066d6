/** The bundle of a worker, as a text. The build makes it. */
declare module '*?worker' {
  const text: string;

  export { text };
}
