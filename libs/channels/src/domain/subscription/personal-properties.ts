/** What somebody can switch for one of their subscriptions (contract/subscriptions.md section 4). */
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

/** A property and its value travel together, so a colour can never be `true`. */
export type PersonalProperty =
  { readonly property: 'color'; readonly value: string } | { readonly property: Switch; readonly value: boolean };
