import { defineProjection, on } from '@annals/kernel';
import { BotProgramChosen } from '../../domain/events';

/** The programs of embedded bots. */
export const botProgramsView = defineProjection({
  name: 'bot_programs',
  version: 1,
  lifecycle: 'inline',
  tables: { bot_programs: { columns: { bot_id: 'int8', program: 'text' }, key: ['bot_id'] } },
  handlers: [
    on(BotProgramChosen, ({ data: { userId, program } }, rows) => {
      rows.insert('bot_programs', { bot_id: userId, program });
    }),
  ],
});
