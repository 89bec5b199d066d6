/**
 * Who started a server: a person, who can be asked for what is missing, or nobody (with the window,
 * after a crash, after a change), and then nothing is asked.
 */
export type StartMode = 'by-hand' | 'by-itself';
