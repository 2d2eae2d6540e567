/** The text of a message that measurements send. */
export const CONTENT = 'a message of ordinary length, as people write them to each other **all day long**';

/** The parameters of a message to the first channel. */
export const MESSAGE = { type: 'channel', to: 'general', topic: 'benchmark', content: CONTENT };
