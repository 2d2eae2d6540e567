import type { Position, Role, UserId } from '@annals/kernel/domain';

/** The payload of `realm_user` events before delivery. Names and profile values are read at delivery. */
export type UserPayload =
  /** `at`: the end of the append that created the account, which may contain more facts about it. */
  /** `isKnown`: the account existed before, and becomes visible for a user. */
  | { readonly op: 'add'; readonly userId: UserId; readonly at: Position; readonly isKnown?: true }
  | { readonly op: 'update'; readonly userId: UserId; readonly change: 'full_name' }
  | {
      readonly op: 'update';
      readonly userId: UserId;
      readonly change: 'custom_profile_field';
      readonly fieldId: number;
    }
  | { readonly op: 'update'; readonly userId: UserId; readonly change: 'role'; readonly value: number }
  | { readonly op: 'update'; readonly userId: UserId; readonly change: 'is_active'; readonly value: boolean }
  | { readonly op: 'update'; readonly userId: UserId; readonly change: 'is_deleted' | 'is_no_stub' }
  /** Its address, or who sees it, is another after one append than before it. */
  | {
      readonly op: 'update';
      readonly userId: UserId;
      readonly change: 'address';
      readonly before: Position;
      readonly after: Position;
    }
  /** For the account itself: by another role it sees more addresses of others, or fewer. */
  | { readonly op: 'update'; readonly userId: UserId; readonly change: 'sight'; readonly from: Role; readonly to: Role }
  | { readonly op: 'update'; readonly userId: UserId; readonly change: 'timezone' }
  | { readonly op: 'update'; readonly userId: UserId; readonly change: 'bot_owner_id'; readonly value: UserId }
  /** The picture as it became: what its files are called, null for that of the Gravatar service. */
  | {
      readonly op: 'update';
      readonly userId: UserId;
      readonly change: 'avatar';
      readonly file: string | null;
      readonly version: number;
    }
  /** Milliseconds since the epoch. */
  | { readonly op: 'update'; readonly userId: UserId; readonly change: 'date_joined'; readonly value: number };

/** The payload of `user_settings` and `realm_user_settings_defaults` events. */
export type OwnSettingPayload =
  | { readonly property: string; readonly value: unknown }
  /** Where they are is read when it is delivered, as all that people say of themselves. */
  | { readonly property: 'timezone'; readonly of: UserId };

/** The properties of a bot that may change, by their names in the API. */
export type BotProperty =
  'default_sending_stream' | 'default_events_register_stream' | 'default_all_public_streams' | 'services';

/** The payload of `realm_bot` events. */
export type BotPayload =
  | { readonly op: 'add' | 'delete'; readonly userId: UserId }
  | { readonly op: 'update'; readonly userId: UserId; readonly property: BotProperty };
