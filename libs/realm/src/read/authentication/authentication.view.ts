import { defineProjection, on } from '@annals/kernel';
import { AuthenticationMethodsChosen } from '../../domain/authentication/authentication-events';

/** The ways to log in that an owner chose, by their names. A method without a row is on. */
export const authenticationView = defineProjection({
  name: 'realm_authentication_methods',
  version: 1,
  lifecycle: 'inline',
  tables: {
    realm_authentication_methods: {
      columns: {
        method: 'text',
        is_on: 'bool',
      },
      key: ['method'],
    },
  },
  handlers: [
    on(AuthenticationMethodsChosen, ({ data: { changed } }, rows) => {
      for (const [method, isOn] of Object.entries(changed)) {
        rows.upsert('realm_authentication_methods', { method, is_on: isOn });
      }
    }),
  ],
});
