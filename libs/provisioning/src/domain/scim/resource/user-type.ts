import { ROLE_NAMES } from '@annals/kernel/domain';
import { attribute, resourceType } from './attribute';

const ALWAYS = { required: true } as const;
const READ_ONLY = { mutability: 'readOnly' } as const;

export const USER = resourceType({
  name: 'User',
  endpoint: '/Users',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
  about: 'A person with an account',
  attributes: [
    attribute('userName', 'The email address of the account.', { ...ALWAYS, uniqueness: 'server' }),
    attribute('name', 'The name of the person.', {
      ...ALWAYS,
      type: 'complex',
      parts: [
        attribute('formatted', 'The full name.'),
        attribute('familyName', 'The family name, as the directory has it.'),
        attribute('givenName', 'The given name, as the directory has it.'),
      ],
    }),
    attribute('displayName', 'The full name.', ALWAYS),
    attribute('active', 'Whether the account may be used. False deactivates it.', { ...ALWAYS, type: 'boolean' }),
    attribute('role', 'The role in the organization.', { ...ALWAYS, canonicalValues: ROLE_NAMES }),
    attribute('roles', 'The role in the organization, as a list with one entry.', {
      ...ALWAYS,
      type: 'complex',
      multiValued: true,
      parts: [
        attribute('value', 'The role.', { canonicalValues: ROLE_NAMES }),
        attribute('primary', 'Which of several roles counts.', { type: 'boolean' }),
      ],
    }),
    attribute('locale', 'The language. It becomes a setting of the account if Annals has it.'),
    attribute('timezone', 'The time zone. It becomes a setting of the account if Annals knows it.'),
    attribute('password', 'A new password.', { mutability: 'writeOnly', returned: 'never', caseExact: true }),
    attribute('emails', 'The email address, which is that of userName.', {
      ...READ_ONLY,
      isDerived: true,
      type: 'complex',
      multiValued: true,
      parts: [
        attribute('value', 'The address.', READ_ONLY),
        attribute('type', 'Always work.', { ...READ_ONLY, canonicalValues: ['work'] }),
        attribute('primary', 'Always true.', { ...READ_ONLY, type: 'boolean' }),
      ],
    }),
  ],
});
