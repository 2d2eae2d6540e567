import { defineProjection, on } from '@annals/kernel';
import { SessionBegan, SessionsEnded } from '../../domain/sign-in/session-events';

/** The sessions of browsers that have not ended. Some may have expired. */
export const sessionsView = defineProjection({
  name: 'sessions',
  version: 1,
  lifecycle: 'inline',
  tables: {
    sessions: {
      columns: {
        session_id: 'int8',
        user_id: 'int8',
        method: 'text',
        client: 'text',
        began_at: 'int8',
        /** Of the event, which has the address that the login came from. */
        began_position: 'int8',
      },
      key: ['session_id'],
      indexes: [{ on: ['user_id'] }],
    },
  },
  handlers: [
    on(SessionBegan, ({ data: { userId, sessionId, method }, client, at, position }, rows) => {
      rows.insert('sessions', {
        session_id: sessionId,
        user_id: userId,
        method,
        client,
        began_at: at,
        began_position: position,
      });
    }),
    on(SessionsEnded, ({ data: { sessionIds } }, rows) => {
      for (const session_id of sessionIds) rows.delete('sessions', { session_id });
    }),
  ],
});
