import type { Role } from '@annals/kernel/domain';
import { ROLES, nullable, t, userId } from '@annals/kernel/domain';

const role = t.Unsafe<Role>(t.Union(ROLES.map((one) => t.Literal(one))));
const profileValue = t.Object({
  value: t.String(),
  rendered_value: t.Optional(t.String({ description: 'HTML, for fields with Markdown.' })),
});

const user = {
  user_id: userId,
  email: t.String(),
  delivery_email: nullable(t.String()),
  full_name: t.String(),
  date_joined: t.String({ description: 'ISO 8601 to the minute, with its offset.' }),
  is_owner: t.Boolean(),
  is_admin: t.Boolean(),
  is_guest: t.Boolean(),
  is_bot: t.Boolean(),
  role,
  bot_type: nullable(t.Integer({ minimum: 1, maximum: 4 })),
  bot_owner_id: nullable(userId),
  timezone: t.String(),
  avatar_url: nullable(t.String()),
  avatar_version: t.Integer(),
  is_imported_stub: t.Boolean(),
  is_deleted: t.Optional(t.Literal(true)),
  is_system_bot: t.Optional(t.Literal(true)),
  profile_data: t.Optional(
    t.Record(t.String({ pattern: '^[0-9]+$' }), profileValue, {
      description: 'Values of custom profile fields by their ids; of people, where they were asked for.',
    }),
  ),
};

/** An account in the API (contract/users.md section 1). */
export const userShape = t.Object({ ...user, is_active: t.Boolean() }, { $id: 'User' });

/**
 * An account in the lists of `POST /register`, which are separate for active and deactivated users (contract/boot.md
 * section 4.2).
 */
export const listedUserShape = t.Object(user, { $id: 'ListedUser' });

/** The own account, which always has its picture (contract/boot.md section 2.3). */
export const ownUserShape = t.Object({
  ...userShape.properties,
  avatar_url: t.String(),
  max_message_id: t.Integer({ minimum: -1, deprecated: true, description: '-1 when no message has arrived.' }),
});

/** A custom profile field (contract/profile-fields.md section 1). */
export const profileFieldShape = t.Object(
  {
    id: t.Integer(),
    type: t.Integer({ minimum: 1, maximum: 8 }),
    order: t.Integer(),
    name: t.String(),
    hint: t.String(),
    field_data: t.String({ description: 'JSON; empty where the type has none.' }),
    required: t.Boolean(),
    editable_by_user: t.Boolean(),
    display_in_profile_summary: t.Optional(t.Literal(true)),
    use_for_user_matching: t.Optional(t.Literal(true)),
  },
  { $id: 'ProfileField' },
);

/** The service behind a bot of type 3 or 4 (contract/whole-interface.md section 5). */
export const botServicesShape = t.Array(
  t.Union([
    t.Object({ service_name: t.String(), config_data: t.Record(t.String(), t.String()) }),
    t.Object({
      base_url: t.String({ description: 'Empty while none was chosen.' }),
      interface: t.Integer({ minimum: 1, maximum: 2 }),
      token: t.String({ description: 'Each request to the URL has it.' }),
    }),
  ]),
);

const botDefaults = {
  avatar_url: t.String(),
  default_sending_stream: nullable(t.String()),
  default_events_register_stream: nullable(t.String()),
  default_all_public_streams: t.Boolean(),
};

/** A new bot with its key (contract/users.md section 7). */
export const newBotShape = t.Object({ user_id: userId, api_key: t.String(), ...botDefaults });

/** A bot in the list of one's own. */
export const ownBotShape = t.Object(
  { user_id: userId, username: t.String(), full_name: t.String(), ...botDefaults, services: botServicesShape },
  { $id: 'OwnBot' },
);

/** A bot after a change. */
export const changedBotShape = t.Object({
  full_name: t.String(),
  ...botDefaults,
  bot_owner: t.Optional(t.String({ description: 'Address of its owner.' })),
  service_payload_url: t.Optional(t.String({ description: 'If the request has it.' })),
  service_interface: t.Optional(t.Integer({ description: 'If the request has it.' })),
});
