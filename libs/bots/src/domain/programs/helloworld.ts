import type { AnsweringProgram } from './program';
import { reply } from './program';

/** Answers everything with the same words, to try out whether bots work. */
export const helloworld: AnsweringProgram = () => reply('beep boop');
