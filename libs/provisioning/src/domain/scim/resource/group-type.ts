import { attribute, resourceType } from './attribute';

const IMMUTABLE = { mutability: 'immutable' } as const;

export const GROUP = resourceType({
  name: 'Group',
  endpoint: '/Groups',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  about: 'A user group',
  attributes: [
    attribute('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
    attribute('members', 'The people in the group.', {
      type: 'complex',
      multiValued: true,
      parts: [
        attribute('value', 'The id of the user.', { ...IMMUTABLE, caseExact: true }),
        attribute('$ref', 'The address of the user.', {
          ...IMMUTABLE,
          type: 'reference',
          caseExact: true,
          referenceTypes: ['User'],
        }),
        attribute('type', 'Always User.', { ...IMMUTABLE, canonicalValues: ['User'] }),
      ],
    }),
  ],
});
