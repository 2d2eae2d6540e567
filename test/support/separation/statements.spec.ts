import { unboundTables } from './statements';

const TABLES = new Set(['messages', 'topics']);
const unbound = (text: string) => unboundTables(text, TABLES);

describe('a statement that says of which organization its rows are', () => {
  it.each([
    'SELECT m.topic_id FROM view.messages AS m WHERE m.realm_id = $1',
    'SELECT topic_id FROM "view_messages_2"."messages" AS m WHERE realm_id = $1 AND m.topic_id = $2',
    'SELECT 1 FROM messages m JOIN topics t ON t.realm_id = m.realm_id WHERE $1 = m.realm_id',
    'SELECT 1 FROM messages JOIN topics USING (realm_id, topic_id) WHERE messages.realm_id = $1',
    'UPDATE messages AS m SET topic_id = 1 WHERE (m.realm_id, m.id) = ($1, $2)',
    'DELETE FROM messages WHERE realm_id IN ($1, $2)',
    'SELECT 1 FROM people',
  ])('is %s', (text) => expect(unbound(text)).toEqual([]));
});

describe('a statement that does not', () => {
  it.each([
    ['SELECT topic_id FROM view.messages WHERE topic_id = $1', ['messages']],
    ['SELECT realm_id FROM messages WHERE due_at <= $1 ORDER BY realm_id', ['messages']],
    ['SELECT 1 FROM messages AS m JOIN topics AS t ON t.topic_id = m.topic_id WHERE m.realm_id = $1', ['topics']],
    [
      'SELECT 1 FROM messages AS m JOIN topics AS t ON t.topic_id = m.topic_id WHERE realm_id = $1',
      ['messages', 'topics'],
    ],
    ['UPDATE "view_messages_2"."messages" AS m SET topic_id = $1 WHERE m.id = $2', ['messages']],
    ['DELETE FROM messages WHERE (realm_id, id) > ($1, $2)', ['messages']],
  ])('is %s', (text, tables) => expect(unbound(text)).toEqual(tables));
});
