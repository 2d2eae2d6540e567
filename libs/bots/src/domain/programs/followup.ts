import type { AnsweringProgram } from './program';
import { reply } from './program';

/** The name of the channel that collects what is to be followed up. */
export const FOLLOWUP_CHANNEL = 'followup';

/** Collects what users tell it, in a channel with a topic for each user. */
export const followup: AnsweringProgram = ({ text, author }) =>
  text === ''
    ? reply(`Write after my name what is to be followed up. I will post it in the channel \`${FOLLOWUP_CHANNEL}\`.`)
    : { kind: 'post', channel: FOLLOWUP_CHANNEL, topic: author, content: `from ${author}: ${text}` };
