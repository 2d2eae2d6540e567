/** The programs with which the server answers for embedded bots, by their names in the API. */
export const BOT_PROGRAMS = ['converter', 'followup', 'helloworld', 'incrementor'] as const;
export type BotProgram = (typeof BOT_PROGRAMS)[number];
