import { defineProjection, on } from '@annals/kernel';
import { ApiKeyIssued, ApiKeysRevoked } from '../../domain/events';

/** When and to which program the API keys of accounts were issued. The keys themselves are with the accounts. */
export const issuedKeysView = defineProjection({
  name: 'issued_keys',
  version: 1,
  lifecycle: 'inline',
  tables: {
    issued_keys: {
      columns: {
        key_id: 'int8',
        user_id: 'int8',
        client: 'text',
        issued_at: 'int8',
        /** Of the event, which has the address of the request. */
        issued_position: 'int8',
      },
      key: ['key_id'],
      indexes: [{ on: ['user_id'] }],
    },
  },
  handlers: [
    on(ApiKeyIssued, ({ data: { userId, keyId }, client, at, position }, rows) => {
      rows.insert('issued_keys', { key_id: keyId, user_id: userId, client, issued_at: at, issued_position: position });
    }),
    on(ApiKeysRevoked, ({ data: { keyIds } }, rows) => {
      for (const key_id of keyIds) rows.delete('issued_keys', { key_id });
    }),
  ],
});
