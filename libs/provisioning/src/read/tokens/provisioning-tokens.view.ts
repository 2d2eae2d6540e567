import { defineProjection, on } from '@annals/kernel';
import { TokenEnded, TokenIssued } from '../../domain/tokens/token-events';

/** The tokens that have not ended. */
export const provisioningTokensView = defineProjection({
  name: 'provisioning_tokens',
  version: 1,
  lifecycle: 'inline',
  tables: {
    provisioning_tokens: {
      columns: {
        token_id: 'int8',
        name: 'text',
        rights: 'text',
        expires_at: 'int8',
        /** Null for the operator of the server. */
        issued_by: 'int8',
        issued_at: 'int8',
      },
      key: ['token_id'],
      sealed: ['name'],
    },
  },
  handlers: [
    on(TokenIssued, ({ data, sealed, actorId, at }, rows) =>
      rows.insert('provisioning_tokens', {
        token_id: data.tokenId,
        name: sealed === 'erased' ? '' : sealed.name,
        rights: data.rights,
        expires_at: data.expiresAt,
        issued_by: actorId,
        issued_at: at,
      }),
    ),
    on(TokenEnded, ({ data }, rows) => rows.delete('provisioning_tokens', { token_id: data.tokenId })),
  ],
});
