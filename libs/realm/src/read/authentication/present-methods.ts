import type { OfferedMethods } from './authentication-methods';

/** The ways to log in as clients receive them. A method that the server does not offer is left out. */
export const presentMethods = (methods: OfferedMethods) =>
  Object.fromEntries(
    Object.entries(methods).map(([name, isOn]) => [name, { enabled: isOn, available: true }] as const),
  );
