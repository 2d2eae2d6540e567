/** The boolean settings of a subscription (contract/subscriptions.md section 4). */
export const SWITCHES = [
  'is_muted',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const;
export type Switch = (typeof SWITCHES)[number];

/** A property with its value, so that a color can never be `true`. */
export type PersonalProperty =
  { readonly property: 'color'; readonly value: string } | { readonly property: Switch; readonly value: boolean };
