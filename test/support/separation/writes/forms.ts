import { PASSWORD } from '../twin';
import type { Writes } from './write';

/** Forms of pages. The walk adds the token of a form of the owner's browser. */
export const FORM_WRITES: Writes = {
  'POST /login': { form: ({ word }) => ({ username: `ann@${word}.example.com`, password: PASSWORD }) },
  'POST /login/code': { form: () => ({ code: '000000' }) },
  'POST /register': { form: ({ word }) => ({ email: `joiner@${word}.example.com` }) },
  'POST /join/:key/address': { form: ({ word }) => ({ email: `joiner@${word}.example.com` }) },
  'POST /join/:key': { form: ({ word }) => ({ full_name: `Jo ${word}`, password: PASSWORD }) },
  'POST /accounts/password/reset': { form: ({ word }) => ({ email: `owner@${word}.example.com` }) },
  'POST /accounts/password/reset/:token': { form: () => ({ new_password: PASSWORD }) },
  'POST /accounts/confirm_new_email/:token': {},
  'POST /accounts/login/jwt/': { form: () => ({ token: 'none' }) },
  'POST /accounts/login/jwt/confirm': { form: () => ({ token: 'none' }) },
  'POST /accounts/sign-on/join': { form: ({ word }) => ({ full_name: `Jo ${word}` }) },
  'POST /complete/saml/': { form: () => ({ SAMLResponse: 'none' }) },
  'POST /unsubscribe/:token': {},
  'POST /account/password': { form: () => ({ old_password: PASSWORD, new_password: PASSWORD }) },
  'POST /account/two-factors': { form: () => ({ password: PASSWORD, code: '000000', secret: 'A'.repeat(32) }) },
  'POST /account/two-factors/end': { form: () => ({ code: '000000' }) },
  'POST /account/two-factors/others': { form: ({ word }) => ({ email: `ann@${word}.example.com` }) },
  'POST /account/identities/unlink': { form: () => ({ issuer: 'https://id.example.com' }) },
  'POST /account/api_keys/:key_id/end': {},
  'POST /account/sessions/:session_id/end': {},
  'POST /logout': {},
};
