export * from './scim/scim-events';
export * from './tokens/token-events';
